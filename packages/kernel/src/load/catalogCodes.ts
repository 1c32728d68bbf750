import { type CodeTable, defineCodes } from "@fettle/contract";

/** Codes of what can be wrong between tools. None of them keeps a tool from being served: no tool vanishes because of its neighbour. */
export type CatalogCode = "unknown-tool" | "unknown-successor" | "circular-successor" | "similar-names";

/** The table of `catalog/*`. */
export const catalogCodes: CodeTable<CatalogCode> = defineCodes<CatalogCode>("catalog", {
  "unknown-tool": {
    message: "A tool is named that the catalog doesn't hold.",
    hint: "Mend the name, add the tool, or take the mention out: a model would look for it in vain.",
  },
  "unknown-successor": {
    message: "The successor of a deprecated tool isn't there.",
    hint: "Name a tool and version of this catalog, or leave `successor` out.",
  },
  "circular-successor": { message: "Following the successors comes back to the tool itself.", hint: "Let the newest tool have no successor." },
  "similar-names": {
    message: "Two tool names differ only in case or in the characters - _ and so on, which some hosts fold into one.",
    hint: "Rename one of them.",
  },
});

/** Codes of examples that contradict the schemas of their own tool. They don't keep the tool from being served: it works, its examples mislead. */
export type ExampleCode = "input-mismatch" | "output-mismatch";

/** The table of `example/*`. */
export const exampleCodes: CodeTable<ExampleCode> = defineCodes<ExampleCode>("example", {
  "input-mismatch": {
    message: "The input of an example doesn't fit `parameters`, so the call shown would be refused.",
    hint: "Mend the example or the schema. Only a negative example may have an input that doesn't fit.",
  },
  "output-mismatch": { message: "The output of an example doesn't fit `output`.", hint: "Mend the example or the schema." },
});
