export { type DrawnExpectation, drawnDifferences, drawnExpectations, SloppyFixture } from "./drawnExpectations.js";
