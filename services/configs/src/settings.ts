import { region } from "@ikg/contracts";
import { BaseSettings, flag, secretKey } from "@ikg/service";
import type { z } from "zod";

/** Settings of the configs service. */
export const ConfigsSettings = BaseSettings.extend({
  CREDENTIAL_PEPPER: secretKey("Key of the hashes that stand for credentials in the database."),
  DEFAULT_REGION: region
    .default("europe-west1")
    .meta({ description: "Region of a project that names none; recorded and echoed, it places nothing." }),
  EGRESS_ALLOW_HTTP: flag(false, "Accepts http addresses of token issuers besides https."),
});

export type ConfigsSettings = z.output<typeof ConfigsSettings>;
