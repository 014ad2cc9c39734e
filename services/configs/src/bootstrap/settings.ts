import { BaseSettings, secretKey } from "@ikg/service";
import { recordName } from "@ikg/contracts";
import { z } from "zod";
import { DatabaseSettings } from "../commands/command-database.ts";

const given = BaseSettings.shape;

/** Settings of the command that makes the organization and its first credential. */
export const BootstrapSettings = z.object({
  ...DatabaseSettings.shape,
  AUDIT_RECORDS: given.AUDIT_RECORDS,
  PUBLIC_URL: given.PUBLIC_URL,
  CREDENTIAL_PEPPER: secretKey("Key of the hashes that stand for credentials in the database."),
  BOOTSTRAP_ORG_NAME: recordName.default("default").meta({ description: "Name of the organization." }),
  BOOTSTRAP_SLOT: z.string().default("bootstrap").meta({
    description: "Names this organization's place in the database; a run of tests makes one of its own.",
  }),
  BOOTSTRAP_SA_TOKEN: z.string().optional().meta({
    secret: true,
    description: "Token of the first credential, of the `sa1_` form; a random one when unset.",
  }),
});

export type BootstrapSettings = z.output<typeof BootstrapSettings>;
