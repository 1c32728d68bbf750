import { type CodeTable, defineCodes } from "@fettle/contract";

/** What can be wrong with a config and the plugins it names. All of it keeps the server from starting. */
export const configCodes: CodeTable<ConfigCode> = defineCodes<ConfigCode>("config", {
  unreadable: { message: "The config can't be read.", hint: "Check that it is a file and that this user may read it." },
  "too-large": { message: "The config is larger than 1 MiB.", hint: "Take out what isn't settings." },
  "not-text": { message: "The config is not UTF-8 text.", hint: "Save it as UTF-8." },
  "bad-yaml": {
    message: "The text is not YAML 1.2 as Fettle reads it.",
    hint: "Look at the marked place: indentation is spaces and never tabs, and a text with `: ` or ` #` in it needs quotes.",
  },
  "duplicate-key": { message: "A key stands twice in one mapping.", hint: "Keep one of the two: YAML would silently drop the other." },
  "text-cut": {
    message: "A text ends before a # on its line, since YAML takes the rest for a comment.",
    hint: "Put the whole text in quotes, or leave a blank after # where a comment is meant.",
  },
  "unknown-key": { message: "The config has a key that isn't one of its keys.", hint: "Take the suggested key, or delete it." },
  "missing-field": { message: "A required key is missing.", hint: "Add it." },
  "wrong-type": { message: "A value has the wrong type.", hint: "Write a value of the type that is named." },
  "wrong-value": { message: "A value isn't one of the allowed ones.", hint: "Take one of those that are named." },
  "bad-format": { message: "A text doesn't have the form that is asked for.", hint: "Follow the description." },
  "too-long": { message: "A text or list is too long.", hint: "Shorten it." },
  "too-short": { message: "A text or list is too short.", hint: "Fill it." },
  "out-of-range": { message: "A number is out of range.", hint: "Take one within the range." },
  "duplicate-item": { message: "A list holds an item twice.", hint: "Keep one." },
  "unknown-version": { message: "The config's spec_version isn't known.", hint: "Use a version that is listed." },
  "missing-env": { message: "A string names an environment variable that isn't set.", hint: "Set it, or give a default: ${NAME:-default}." },
  "folder-missing": { message: "A folder of `tools` doesn't exist or can't be read.", hint: "The path is relative to the config." },
  "file-missing": { message: "There is no config file where one was named.", hint: "Name a file that exists." },
  "unknown-plugin": {
    message: "A plugin that the config names can't be found.",
    hint: "Install the package, or mend the path, which is relative to the config.",
  },
  "bad-plugin": {
    message: "A module that the config names is no plugin, or a part of it does nothing where it stands.",
    hint: "Its default export must come from definePlugin; the finding says which member is wrong.",
  },
  "bad-options": { message: "A plugin's options don't fit its schema.", hint: "Mend `with` as the finding says." },
  "plugin-failed": { message: "A plugin threw while it was loaded, made or set up.", hint: "The finding names the hook; the log has the whole error." },
  "duplicate-plugin": { message: "Two plugins have one name.", hint: "Keep one." },
});

type ConfigCode =
  | "unreadable"
  | "too-large"
  | "not-text"
  | "bad-yaml"
  | "duplicate-key"
  | "text-cut"
  | "unknown-key"
  | "missing-field"
  | "wrong-type"
  | "wrong-value"
  | "bad-format"
  | "too-long"
  | "too-short"
  | "out-of-range"
  | "duplicate-item"
  | "unknown-version"
  | "missing-env"
  | "folder-missing"
  | "file-missing"
  | "unknown-plugin"
  | "bad-plugin"
  | "bad-options"
  | "plugin-failed"
  | "duplicate-plugin";
