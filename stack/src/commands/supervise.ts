/** The process behind `npm start -- --detach`: keeps the suite, reports its progress to the waiting process. */
import { printTo, say } from "../../launch/progress.mjs";
import { runCommand } from "../command.ts";
import type { Notice } from "../detached.ts";
import { openHome } from "../home.ts";
import { watchInterruption } from "../interruption.ts";
import { parseSwitches } from "../options.ts";
import { serve } from "../serve.ts";
import { readStackSettings } from "../settings.ts";

const tell = (notice: Notice): void => {
  if (process.connected) process.send?.(notice);
};

printTo((line) => tell({ line }));
await runCommand(async () => {
  const given = parseSwitches(process.argv.slice(2), [{ name: "fresh", meaning: "with empty data" }]);
  const settings = readStackSettings(process.env);
  const home = openHome(settings.home);
  const interruption = watchInterruption();
  const fresh = given.has("fresh");
  const options = { home, settings, port: settings.port, fresh, purpose: "serve", interruption } as const;
  await serve(options, async (environment) => {
    interruption.detach();
    printTo((line) => console.log(line));
    tell({ ready: environment });
  });
  return 0;
}, say);
