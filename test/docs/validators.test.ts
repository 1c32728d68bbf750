import { followPage } from "./followPage.js";

followPage("docs/validators.md");
