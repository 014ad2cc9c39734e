import { openAdmin } from "../../connection/clients.ts";
import { wholeNumber } from "../../input/whole-number.ts";
import type { CollectionName } from "../../records/collection-names.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { collectionArgument, openCollection } from "../../records/open-collection.ts";
import { columnsOf } from "./columns.ts";

interface Options {
  readonly search?: string;
  readonly type?: "kbac" | "ciq";
  readonly revision?: number;
}

/** `ikg get`: records as they are read, without secrets. */
export const command: CommandModule<[collection: CollectionName, name: string | undefined], Options> = {
  description: [
    "Collections are those of docs/api.md, also by short names: projects, applications, agents, agent-credentials, service-accounts, service-account-credentials, role-bindings, policies, queries, profiles, resolvers, introspects, mcp-servers, audit-signings.",
  ],
  examples: [
    { does: "Every policy of the project", command: "ikg get policies" },
    { does: "One record, whole", command: "ikg get policies may-fly -o yaml" },
    {
      does: "Its text as it was at first",
      command: "ikg get policies may-fly --revision 1 -o json | jq -r .policy",
    },
  ],
  configure: (command) =>
    void command
      .argument("<collection>", "collection of records", collectionArgument)
      .argument("[name]", "name or gid of one record; default: all of them")
      .option("--search <text>", "a part of the name, the display name or the description")
      .option("--type <kind>", "of policies: kbac or ciq")
      .option(
        "--revision <number>",
        "a former version of the record",
        wholeNumber(1, Number.MAX_SAFE_INTEGER),
      ),
  run: async (invocation) => {
    const { args, options, print } = invocation;
    const [name, record] = args;
    const collection = openCollection(await openAdmin(invocation), name);
    if (record !== undefined) {
      await print.record(await collection.get(record, { version: options.revision }));
      return;
    }
    const records = await collection.list({ search: options.search, type: options.type });
    await print.rows(records, columnsOf(records), { none: "None." });
  },
};
