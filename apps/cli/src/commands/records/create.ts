import { openAdmin } from "../../connection/clients.ts";
import type { CollectionName } from "../../records/collection-names.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { type AnyRecord, collectionArgument, openCollection } from "../../records/open-collection.ts";
import { addFieldOptions, type FieldOptions, fieldsOf } from "./fields.ts";
import { warnOfSecrets } from "./shown-once.ts";

/** Limits of the deployment have nothing to say about a record that is new; JSON and YAML have them. */
const withoutEffective = (record: AnyRecord): object =>
  Object.fromEntries(Object.entries(record).filter(([field]) => field !== "effective_limits"));

/** `ikg create`. */
export const command: CommandModule<[collection: CollectionName, file: string | undefined], FieldOptions> = {
  description: [
    "Project and organization are those of the context where the fields name none. `policy` and `query` may be objects. What is created is printed; what is shown once is shown once.",
  ],
  examples: [
    { does: "A project", command: "ikg create projects --set name=hangar" },
    {
      does: "A policy of a file",
      command: "ikg create policies policy.json --set name=may-wash --set status=DRAFT",
    },
  ],
  configure: (command) =>
    void addFieldOptions(command.argument("<collection>", "as for ikg get", collectionArgument)),
  run: async (invocation) => {
    const { args, options, around, print } = invocation;
    const [name, file] = args;
    const fields = await fieldsOf(file, options, around);
    const record = await openCollection(await openAdmin(invocation), name).create(fields);
    warnOfSecrets(record, around);
    await print.record(options.output === "table" ? withoutEffective(record) : record);
  },
};
