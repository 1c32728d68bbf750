export { checkPluginLaws } from "./checkPluginLaws.js";
export { type DrawnExpectation, drawnDifferences, drawnExpectations, SloppyFixture } from "./drawnExpectations.js";
export { type FakeClock, fakeClock } from "./fakeClock.js";
export { type MemoryTools, type TestTool, testSpec } from "./memoryTools.js";
export { type Observed, type TestBench, type TestKernel, type TestKernelOptions, type TestOutcome, testKernel } from "./testKernel.js";
