/** npm run console: the console with hot reload against a running suite. */
import { say } from "../../launch/progress.mjs";
import { runProgram } from "../../launch/run-program.mjs";
import { runCommand } from "../command.ts";
import { watchInterruption } from "../interruption.ts";
import { describeSwitches, parseSwitches } from "../options.ts";
import { inRepository } from "../repository.ts";
import { readStackSettings } from "../settings.ts";

const switches = [{ name: "help", meaning: "this text" }];

const help = [
  "npm run console: the console with hot reload; its calls go to a suite that runs, for example by npm start.",
  "",
  ...describeSwitches(switches),
  "",
  "Environment",
  "  PORT             port of the suite's gateway (default 8080)",
  "  IKG_GATEWAY      address of another gateway",
  "  IKG_CONSOLE_PORT port of the pages (default 5173)",
].join("\n");

await runCommand(async () => {
  if (parseSwitches(process.argv.slice(2), switches).has("help")) {
    say(help);
    return 0;
  }
  const { port } = readStackSettings(process.env);
  const { signal } = watchInterruption();
  const { code } = await runProgram(process.execPath, [inRepository("apps", "console", "develop.ts")], {
    env: { IKG_GATEWAY: `http://127.0.0.1:${port}`, ...process.env },
    signal,
    onLine: say,
  });
  return signal.aborted ? 0 : code;
});
