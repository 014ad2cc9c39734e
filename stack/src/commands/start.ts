/** npm start: the whole suite on this machine. */
import { say } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { runCommand } from "../command.ts";
import { runDemo } from "../demo/run.ts";
import { startDetached } from "../detached.ts";
import type { Environment } from "../environment.ts";
import { openHome } from "../home.ts";
import { watchInterruption } from "../interruption.ts";
import type { Switch } from "../options.ts";
import { describeSwitches, parseSwitches } from "../options.ts";
import { serve } from "../serve.ts";
import { readStackSettings } from "../settings.ts";

const switches: readonly Switch[] = [
  { name: "no-demo", meaning: "without the demo's project, graph and questions" },
  { name: "fresh", meaning: "with empty data" },
  { name: "detach", meaning: "return when it is ready; npm stop ends it" },
  { name: "help", meaning: "this text" },
];

const help = [
  "npm start [-- OPTIONS]: the suite on this machine, until Ctrl-C.",
  "",
  ...describeSwitches(switches),
  "",
  "Environment",
  "  IKG_HOME                                  data, logs and secrets (default .ikg)",
  "  PORT                                      port of the gateway (default 8080); every other one is chosen free",
  "  NEO4J_URI NEO4J_USERNAME NEO4J_PASSWORD   your own Neo4j 5.26 or newer instead of the embedded one",
  "  REDIS_URL                                 your own Redis instead of the embedded one",
].join("\n");

await runCommand(async () => {
  const given = parseSwitches(process.argv.slice(2), switches);
  if (given.has("help")) {
    say(help);
    return 0;
  }
  const settings = readStackSettings(process.env);
  const fresh = given.has("fresh");
  if (fresh && settings.neo4j)
    throw new UserError(
      "--fresh is for the embedded Neo4j; your own at NEO4J_URI is never emptied. Leave one of the two out.",
    );
  const home = openHome(settings.home);
  const interruption = watchInterruption();
  const demo = async (environment: Environment) => {
    if (!given.has("no-demo")) await runDemo(environment, home.root);
  };
  if (given.has("detach")) return startDetached({ home, fresh, interruption }, demo);
  const options = { home, settings, port: settings.port, fresh, purpose: "serve", interruption } as const;
  await serve(options, async (environment) => {
    await demo(environment);
    say("Ctrl-C stops it.");
  });
  return 0;
});
