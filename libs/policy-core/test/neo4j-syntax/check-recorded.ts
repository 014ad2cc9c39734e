/**
 * node check-recorded.ts FOLDER: holds every statement that tests have recorded there against the vendor's checker.
 * Says how far it is (`12 of 345`) and what the checker has to say; exit code 1 when that is anything. What was found
 * clean before is not checked again, but for some; `npm run test:long` checks all, and with `UPDATE_CLEAN=1` notes with
 * the sources what is clean now.
 */
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { isLong } from "../runs.ts";
import { openMemory } from "./memory.ts";
import { readRecorded } from "./recorded.ts";
import { withoutProject } from "./without-project.ts";

/** Which checker it is: what it found clean, another one may not. */
const version = (): string => {
  const manifest = createRequire(import.meta.url)("../../package.json") as {
    // The manifest of this package.
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  return manifest.devDependencies["@neo4j-cypher/language-support"] ?? "";
};

const [folder = ""] = process.argv.slice(2);
const clean = openMemory(`${version()}-1`);
const statements = readRecorded(folder);
const unknown = statements.filter(({ text }) => !clean.has(withoutProject(text)));
const waiting = unknown.values();
let checked = statements.length - unknown.length;

const say = (text: string): boolean => process.stdout.write(`${text}\n`);
const sayHowFar = (): boolean => say(`${checked} of ${statements.length}`);

/** Has one thread take statements until none waits; a thread that breaks down ends the program. */
const runThread = (): void => {
  const thread = new Worker(new URL("check-thread.ts", import.meta.url));
  const next = (): void => {
    const { value, done } = waiting.next();
    if (done === true) return void thread.terminate();
    thread.once("message", (complaints: readonly string[]) => {
      if (complaints.length === 0) clean.add(withoutProject(value.text));
      else {
        say([`${value.file}: ${value.test}`, ...complaints, value.text].join("\n"));
        process.exitCode = 1;
      }
      checked += 1;
      sayHowFar();
      next();
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(value.text);
  };
  next();
};

sayHowFar();
// Two at the most: each loads the whole checker.
const threads = Math.min(2, availableParallelism(), unknown.length);
for (let thread = 0; thread < threads; thread += 1) runThread();
process.once("exit", (code) => {
  if (code === 0 && isLong() && process.env["UPDATE_CLEAN"] === "1")
    clean.keep(statements.map(({ text }) => withoutProject(text)));
});
