import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { JsonObject } from "fettle";
import { type ScratchRepository, type Signature, scratchRepository } from "../scratchRepository.js";
import { assertListed, openTools } from "./openTools.js";

/** Who commits in tests. */
export const BY: Signature = { name: "Ada Example", email: "ada@example.com", date: "2026-01-05T10:00:00+00:00" };

/** The environment of the tools, that of the test's own repository; a test may change it. */
export const env: Record<string, string | undefined> = {};

const bench = await openTools(env);
export const { kernel, clock }: typeof bench = bench;
after(async () => {
  assertListed(bench);
  await kernel.close();
});

/** Puts other variables in place of those that are there. */
export function setEnv(values: Readonly<Record<string, string | undefined>>): void {
  for (const key of Object.keys(env)) delete env[key];
  Object.assign(env, values);
}

/** A test on an empty repository of its own, which is the root of the tools meanwhile. */
export function onRepository(name: string, run: (repository: ScratchRepository) => Promise<void>): void {
  test(name, async () => {
    const repository = await scratchRepository();
    setEnv(repository.env);
    try {
      await run(repository);
    } finally {
      await repository.dispose();
    }
  });
}

/** The data of a call that must succeed. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it expects to be there
export async function data(name: string, args: JsonObject = {}): Promise<any> {
  const outcome = await kernel.call(name, args);
  assert.equal(outcome.kind, "ok", JSON.stringify(outcome));
  return outcome.data;
}
