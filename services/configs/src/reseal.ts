import { keyRing } from "@ikg/secrets";
import { readSettings } from "@ikg/service";
import { z } from "zod";
import { DatabaseSettings, openDatabase } from "./commands/command-database.ts";
import type { Progress } from "./reseal/progress.ts";
import { reseal } from "./reseal/reseal.ts";
import { runCommand, sayAs } from "./commands/run-command.ts";
import { ConfigsSettings } from "./settings.ts";

const { CONFIG_ENCRYPTION_KEY, CONFIG_ENCRYPTION_FORMER_KEYS } = ConfigsSettings.shape;

const ResealSettings = z.object({
  ...DatabaseSettings.shape,
  CONFIG_ENCRYPTION_KEY,
  CONFIG_ENCRYPTION_FORMER_KEYS,
});

const say = sayAs("reseal");

const tell = ({ seen, resealed }: Progress): void => say(`${seen} looked at, ${resealed} re-encrypted`);

/** Exit code 0 says that the former keys are no longer needed. */
const report = ({ resealed, missed, stuck }: Progress): void => {
  for (const each of stuck) say(`no key opens ${each}`);
  if (missed > 0) say(`${missed} were still changing; run it again, with every service on the current key`);
  if (stuck.length > 0 || missed > 0) process.exitCode = 1;
  else say(`done, ${resealed} re-encrypted; the former keys are no longer needed`);
};

await runCommand("reseal", async () => {
  const settings = readSettings(ResealSettings);
  const keys = keyRing(settings.CONFIG_ENCRYPTION_KEY, settings.CONFIG_ENCRYPTION_FORMER_KEYS);
  const graph = openDatabase(settings);
  try {
    await graph.checkSchema();
    report(await reseal(graph.shared, { keys, onBatch: tell }));
  } finally {
    await graph.close();
  }
});
