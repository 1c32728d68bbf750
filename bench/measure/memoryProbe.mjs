// Loaded into every contender by --import: at SIGUSR2 it collects garbage and says what is left, in bytes.
process.on("SIGUSR2", () => {
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.stderr.write(`\nmemory ${JSON.stringify({ live: heapUsed + external, rss })}\n`);
});
