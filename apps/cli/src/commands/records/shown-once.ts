import type { AnyRecord } from "../../records/open-collection.ts";
import type { Surroundings } from "../../surroundings.ts";

const secrets = ["application_agent_config", "service_account_config"];

/** Says that a secret of the result is shown this once. */
export const warnOfSecrets = (record: AnyRecord, { error }: Surroundings): void => {
  if (secrets.some((field) => record[field] !== undefined))
    error("warning: the token is shown this once and cannot be read again: keep it now\n");
};
