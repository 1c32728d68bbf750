// Serves what the official MCP conformance suites ask for (test/conformance) over HTTP on 127.0.0.1, and prints the address.
//   PORT=4000 npm run conformance:serve       that port; 0 picks a free one, and without PORT it is 3000
import { serveHttp } from "./serveHttp.mjs";

serveHttp(["--config", "test/conformance/fettle.config.yaml"], (address) => console.log(`${address}/mcp`));
