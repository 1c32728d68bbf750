import { followPage } from "./followPage.js";

followPage("docs/errors.md");
