import { followPage, testInInitProject } from "./followPage.js";

followPage("docs/asking.md");
testInInitProject("docs/asking.md");
