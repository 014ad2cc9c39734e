/** npm run bench [NAME …]: runs measurements (main.ts); those that need services get a suite of their own. */
import { spawn } from "node:child_process";
import { say } from "../../stack/launch/progress.mjs";
import { Interrupted, runCommand } from "../../stack/src/command.ts";
import { watchInterruption } from "../../stack/src/interruption.ts";
import {
  backendVariables,
  inheritEnvironment,
  keysOfDeployment,
} from "../../stack/src/services/variables.ts";
import { inRepository } from "../../stack/src/repository.ts";
import { makeScratch } from "../../stack/src/scratch.ts";
import { withSession } from "../../stack/src/session.ts";
import { readStackSettings } from "../../stack/src/settings.ts";
import { chooseMeasurements, measurements } from "./measurements.ts";

const run = (args: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> =>
  new Promise((resolve) => {
    const bench = spawn(process.execPath, [inRepository("bench", "src", "main.ts"), ...args], {
      stdio: "inherit",
      env,
      signal,
    });
    bench.once("error", () => resolve(1));
    bench.once("exit", (code) => resolve(code ?? 1));
  });

/** False when no selected measurement needs a database; the bench itself reports an unknown name. */
const needSuite = (names: readonly string[]): boolean => {
  const chosen = chooseMeasurements(names);
  return !("unknown" in chosen) && chosen.some((name) => measurements.get(name)?.needsSuite);
};

await runCommand(async () => {
  const interruption = watchInterruption();
  const names = process.argv.slice(2);
  if (!needSuite(names)) return run(names, process.env, interruption.signal);
  const settings = readStackSettings(process.env);
  const scratch = await makeScratch();
  let code = 1;
  try {
    const options = {
      home: scratch.home,
      settings,
      port: undefined,
      fresh: false,
      purpose: "measure" as const,
      interruption,
    };
    code = await withSession(options, async ({ suite, backend, startServices }) => {
      const { addresses } = await startServices();
      const env = {
        ...inheritEnvironment(process.env),
        ...backendVariables(backend),
        IKG_ENVIRONMENT: suite.home.environmentFile,
        // Services measured without the gateway get the context that the gateway would have signed, and a gateway of a
        // measurement's own has to know the suite's API keys.
        ...keysOfDeployment(suite.secrets),
        UPSTREAM_ACCESS: addresses.access,
        UPSTREAM_CIQ: addresses.ciq,
        UPSTREAM_CAPTURE: addresses.capture,
        UPSTREAM_CONFIGS: addresses.configs,
      };
      const result = await run(names, env, suite.signal);
      if (suite.signal.aborted) throw new Interrupted();
      return result;
    });
  } finally {
    scratch.remove(code !== 0);
  }
  if (code !== 0) say(`The measurements ended with code ${code}.`);
  return code;
});
