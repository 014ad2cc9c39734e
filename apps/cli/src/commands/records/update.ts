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

type Args = [collection: CollectionName, name: string, file: string | undefined];

/** A display name that is read as the name was never set, and is not set by reading it. */
const withoutDefaults = ({ display_name, ...fields }: AnyRecord): Readonly<Record<string, unknown>> =>
  display_name === undefined || display_name === fields["name"] ? fields : { ...fields, display_name };

/** `ikg update`: fields that are not given stay as they are. */
export const command: CommandModule<Args, FieldOptions> = {
  description: [
    "Fields that are not given stay as they are. The record is replaced only if it was not changed meanwhile; else it is read again, so that no change is lost.",
  ],
  examples: [
    { does: "Take a policy out of use", command: "ikg update policies may-fly --set status=INACTIVE" },
    {
      does: "What an application agent may do",
      command: `ikg update agents dispatch-agent --set 'api_permissions=["Authorization","Capture"]'`,
    },
    { does: "Tags", command: `ikg update policies may-fly --set 'tags=["safety"]'` },
  ],
  configure: (command) =>
    void addFieldOptions(
      command
        .argument("<collection>", "as for ikg get", collectionArgument)
        .argument("<name>", "name or gid of the record"),
    ),
  run: async (invocation) => {
    const { args, options, around, print } = invocation;
    const [name, record, file] = args;
    const fields = await fieldsOf(file, options, around);
    const collection = updatable(openCollection(await openAdmin(invocation), name));
    await print.record(
      await collection.update(record, (current) => ({ ...withoutDefaults(current), ...fields })),
    );
  },
};
