import { z } from "zod";
import { DatabaseSettings } from "../commands/command-database.ts";
import { ConfigsSettings } from "../settings.ts";

const { CONFIG_ENCRYPTION_KEY, CONFIG_ENCRYPTION_FORMER_KEYS } = ConfigsSettings.shape;

/** Settings of the command that seals what is stored with the current key. */
export const ResealSettings = z.object({
  ...DatabaseSettings.shape,
  CONFIG_ENCRYPTION_KEY,
  CONFIG_ENCRYPTION_FORMER_KEYS,
});
