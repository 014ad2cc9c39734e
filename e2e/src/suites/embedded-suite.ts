import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Environment, readEnvironment } from "../../../stack/src/environment.ts";
import { freePort } from "../../../stack/src/ports.ts";
import { inRepository } from "../../../stack/src/repository.ts";
import { useEnvironment } from "../environment.ts";

/** A suite that `npm start` runs, in a folder of the test's own. */
export interface EmbeddedSuite {
  readonly environment: Environment;
  /** `npm stop`. @returns milliseconds that it took */
  stop(): Promise<number>;
  /** Removes the folder. */
  remove(): void;
}

/** Variables of the test that would lead the suite to other stores, or its programs to other options. */
const foreign = /^(NEO4J_|REDIS_|SECOND_|IKG_|NODE_OPTIONS$|JEST_|npm_)/;

/** Runs one command of the repository to its end. @throws Error with what it wrote when it fails */
const run = async (command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> => {
  const child = spawn(process.execPath, [inRepository("stack", "launch.mjs"), command, ...args], { env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await once(child, "close");
  if (child.exitCode !== 0)
    throw new Error(`${command} ended with ${child.exitCode}: ${output.slice(-2_000)}`);
};

/**
 * Starts it as a person does, on a free port, and makes it the suite that this test file asks.
 *
 * @param variables of the environment besides
 */
export const startEmbeddedSuite = async (variables: NodeJS.ProcessEnv = {}): Promise<EmbeddedSuite> => {
  const home = mkdtempSync(join(tmpdir(), "ikg-embedded-"));
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  // A machine that is busy with other tests may take long for a start.
  const own = { IKG_HOME: home, PORT: String(await freePort()), START_TIMEOUT_SECONDS: "240" };
  const env = { ...Object.fromEntries(inherited), ...variables, ...own };
  const remove = (): void => rmSync(home, { recursive: true, force: true });
  const stop = async (): Promise<number> => {
    const began = performance.now();
    await run("stop", [], env);
    return performance.now() - began;
  };
  const file = join(home, "environment.json");
  try {
    await run("start", ["--no-demo", "--detach"], env);
  } catch (error) {
    remove();
    throw error;
  }
  const environment = readEnvironment(file);
  if (environment === undefined) {
    await stop();
    remove();
    throw new Error(`npm start wrote no ${file}`);
  }
  const restoreEnvironment = useEnvironment(file);
  return {
    environment,
    stop,
    remove: () => {
      restoreEnvironment();
      remove();
    },
  };
};
