/** Prints how many megabytes of resident memory 1,000 compiled policies add, statements included. */
import { compileAll } from "./compile.ts";
import { compilePolicy } from "@ikg/policy-core";
import { readTexts } from "./texts.ts";

const settle = async (): Promise<number> => {
  for (let pass = 0; pass < 5; pass++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return process.memoryUsage().rss / 2 ** 20;
};

const good = readTexts().policies.filter((text) => compilePolicy(text).ok);
// The engine compiles hot code once; that is no memory of the policies.
for (let round = 0; round < 10; round++) good.forEach(compileAll);
const before = await settle();
const kept = Array.from({ length: 1_000 }, (_, n) => {
  const text = good[n % good.length] ?? "";
  return { policy: compilePolicy(text), statements: compileAll(text) };
});
const after = await settle();
process.stdout.write(String(kept.length === 1_000 ? after - before : Number.NaN));
