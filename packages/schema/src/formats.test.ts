import assert from "node:assert/strict";
import { test } from "node:test";
import { formatChecks } from "./formats.js";

const CASES: Readonly<Record<string, { readonly fit: readonly string[]; readonly none: readonly string[] }>> = {
  iri: {
    fit: ["http://ƒøø.ßår/?∂éœ=πîx#πîüx", "https://example.com/a%20b", "urn:isbn:1", "http://exämple.org/\u{20000}"],
    none: ["/ä", "é:foo", "http://[::1/ä", "http://a b/ä", "http://x/\u0085", "http://x/\ud800", "", "ä"],
  },
  "iri-reference": { fit: ["/äöü", "#ƒräg", "", "http://ƒøø.ßår/"], none: ["\\\\WINDOWS\\ä", "#a\\b", "a b", "http://x/%ZZä"] },
  "idn-email": {
    fit: ["실례@실례.테스트", "joe@example.com", "jörg@exämple.de"],
    none: ["2962", "@실례.테스트", "jörg", "a b@x.de", "jörg@", `${"ö".repeat(321)}@x.de`],
  },
  uuid: { fit: ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"], none: ["urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380"] },
  "date-time": { fit: ["2026-12-31T23:59:60Z"], none: ["2026-12-31 23:59:59Z"] },
};

for (const [format, { fit, none }] of Object.entries(CASES)) {
  test(`format ${format} takes what it is for and nothing else`, () => {
    const check = formatChecks().get(format);
    assert.ok(check);
    for (const text of fit) assert.equal(check(text), true, text);
    for (const text of none) assert.equal(check(text), false, text);
  });
}
