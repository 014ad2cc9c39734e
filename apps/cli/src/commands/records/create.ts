import type { CommandEnvironment } from "../../command-environment.ts";
import { openAdmin } from "../../connection/clients.ts";
import type { CollectionName } from "../../records/collection-names.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { type AnyRecord, collectionArgument, openCollection } from "../../records/open-collection.ts";
import { addFieldOptions, type FieldOptions, fieldsOf } from "./fields.ts";
import { printRecord } from "./print-record.ts";

const secrets = ["application_agent_config", "service_account_config"];

/** Warns that a secret of the result cannot be retrieved later. */
const warnOfSecrets = (record: AnyRecord, { error }: CommandEnvironment): void => {
  if (secrets.some((field) => record[field] !== undefined))
    error("warning: the token is only shown now and cannot be retrieved later; store it\n");
};

/** `ikg create`. */
export const command: CommandModule<[collection: CollectionName, file: string | undefined], FieldOptions> = {
  description: [
    "Project and organization default to those of the context. `policy` and `query` may be objects. Prints the created record; a secret in it is only shown this one time.",
  ],
  examples: [
    { purpose: "Create a project", command: "ikg create projects --set name=hangar" },
    {
      purpose: "Create a policy from a file",
      command: "ikg create policies policy.json --set name=may-wash --set status=DRAFT",
    },
  ],
  configure: (command) =>
    void addFieldOptions(command.argument("<collection>", "collection, see ikg get", collectionArgument)),
  run: async (invocation) => {
    const { args, options, environment, print } = invocation;
    const [name, file] = args;
    const fields = await fieldsOf(file, options, environment);
    const record = await openCollection(await openAdmin(invocation), name).create(fields);
    warnOfSecrets(record, environment);
    await printRecord(print, record);
  },
};
