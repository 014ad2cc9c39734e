import type { AnyRecord } from "../../records/open-collection.ts";
import type { CommandEnvironment } from "../../command-environment.ts";

const secrets = ["application_agent_config", "service_account_config"];

/** Warns that a secret of the result cannot be retrieved later. */
export const warnOfSecrets = (record: AnyRecord, { error }: CommandEnvironment): void => {
  if (secrets.some((field) => record[field] !== undefined))
    error("warning: the token is only shown now and cannot be retrieved later; store it\n");
};
