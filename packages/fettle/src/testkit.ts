// The testkit for tests of one's own plugins and tools. Apart from `fettle`, since it loads the kernel and node:test.
export * from "@fettle/testkit";
