import { openAdmin } from "../../connection/clients.ts";
import type { CollectionName } from "../../records/collection-names.ts";
import type { CommandModule } from "../../program/command-module.ts";
import {
  type AnyRecord,
  collectionArgument,
  openCollection,
  updatable,
} from "../../records/open-collection.ts";
import { addFieldOptions, type FieldOptions, fieldsOf } from "./fields.ts";
import { printRecord } from "./print-record.ts";

type Args = [collection: CollectionName, name: string, file: string | undefined];

/** Drops a display name that equals the name: it is a default, and must not be stored. */
const withoutDefaults = ({ display_name, ...fields }: AnyRecord): Readonly<Record<string, unknown>> =>
  display_name === undefined || display_name === fields["name"] ? fields : { ...fields, display_name };

/** `ikg update`: changes the given fields only. */
export const command: CommandModule<Args, FieldOptions> = {
  description: [
    "Other fields keep their values. If the record has changed meanwhile, it is read again before the update, so that no change is lost.",
  ],
  examples: [
    { purpose: "Deactivate a policy", command: "ikg update policies may-fly --set status=INACTIVE" },
    {
      purpose: "Set the permissions of an application agent",
      command: `ikg update agents dispatch-agent --set 'api_permissions=["Authorization","Capture"]'`,
    },
    { purpose: "Set tags", command: `ikg update policies may-fly --set 'tags=["safety"]'` },
  ],
  configure: (command) =>
    void addFieldOptions(
      command
        .argument("<collection>", "collection, see ikg get", collectionArgument)
        .argument("<name>", "name or gid of the record"),
    ),
  run: async (invocation) => {
    const { args, options, environment, print } = invocation;
    const [name, record, file] = args;
    const fields = await fieldsOf(file, options, environment);
    const collection = updatable(openCollection(await openAdmin(invocation), name));
    const change = (current: AnyRecord) => ({ ...withoutDefaults(current), ...fields });
    await printRecord(print, await collection.update(record, change));
  },
};
