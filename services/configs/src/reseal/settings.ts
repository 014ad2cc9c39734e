import { BaseSettings } from "@ikg/service";
import { z } from "zod";
import { ConfigsSettings } from "../settings.ts";

const given = BaseSettings.shape;
const { CONFIG_ENCRYPTION_KEY, CONFIG_ENCRYPTION_FORMER_KEYS } = ConfigsSettings.shape;

/** Settings of the command that seals what is stored with the current key. */
export const ResealSettings = z.object({
  NEO4J_URI: given.NEO4J_URI,
  NEO4J_USERNAME: given.NEO4J_USERNAME,
  NEO4J_PASSWORD: given.NEO4J_PASSWORD,
  NEO4J_DATABASE: given.NEO4J_DATABASE,
  CONFIG_ENCRYPTION_KEY,
  CONFIG_ENCRYPTION_FORMER_KEYS,
});
