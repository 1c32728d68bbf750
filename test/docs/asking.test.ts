import { followPage } from "./followPage.js";

followPage("docs/asking.md");
