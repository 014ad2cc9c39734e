/**
 * Entry of every npm script. Runs on Node 18 or newer with nothing installed: prepares Node and the locked packages
 * (a look at four files when they are there) and hands over to `stack/src/commands/<command>.ts`, or to the program of another
 * package.
 */
import { readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { handOver } from "./launch/hand-over.mjs";
import { UserError } from "./launch/user-error.mjs";
import { prepareToolchain } from "./launch/toolchain.mjs";

const commands = [
  "start",
  "stop",
  "bootstrap",
  "console",
  "test",
  "test-containers",
  "test-k8s",
  "check",
  "format",
  "generate",
  "bench",
  "fuzz",
  "mutation",
  "release",
  "reseal",
  "ikg",
];

const stack = dirname(fileURLToPath(import.meta.url));

/** @param {string} command */
const programOf = (command) =>
  command === "bench"
    ? join(dirname(stack), "bench", "src", "command.ts")
    : join(stack, "src", "commands", `${command}.ts`);

const [command = "", ...args] = process.argv.slice(2);

const launch = async () => {
  const began = Date.now();
  if (!commands.includes(command)) throw new UserError(`Commands: ${commands.join(", ")}.`);
  const versions = JSON.parse(readFileSync(join(stack, "versions.json"), "utf8"));
  const node = await prepareToolchain(dirname(stack), versions);
  const path = [dirname(node), process.env["PATH"] ?? ""].join(delimiter);
  // Compiled code is kept, so that five services do not each compile what they did the last time.
  const cache = process.env["NODE_COMPILE_CACHE"] ?? join(dirname(stack), ".tools", "compile-cache");
  return handOver(node, [programOf(command), ...args], {
    ...process.env,
    PATH: path,
    NODE_COMPILE_CACHE: cache,
    // For what says in the end how long everything took.
    IKG_LAUNCHED_AT: String(began),
  });
};

try {
  process.exit(await launch());
} catch (error) {
  console.error(error instanceof UserError ? error.message : error);
  process.exit(1);
}
