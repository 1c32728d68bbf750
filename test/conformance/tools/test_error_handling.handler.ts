import { stateError } from "fettle";

export default () => {
  throw stateError("conformance/always-fails", {
    what: "This tool intentionally returns an error for testing.",
    why: "it was made to fail, so that clients can be tested",
    fix: "Do not call it again: it never succeeds.",
    alternativeTools: ["test_simple_text"],
  });
};
