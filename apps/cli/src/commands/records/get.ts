import { openAdmin } from "../../connection/clients.ts";
import { wholeNumber } from "../../input/whole-number.ts";
import type { CollectionName } from "../../records/collection-names.ts";
import type { CommandModule } from "../../program/command-module.ts";
import { collectionArgument, openCollection } from "../../records/open-collection.ts";
import { columnsOf } from "./columns.ts";
import { printRecord } from "./print-record.ts";

interface Options {
  readonly search?: string;
  readonly type?: "kbac" | "ciq";
  readonly revision?: number;
}

/** `ikg get`: shows records, without secrets. */
export const command: CommandModule<[collection: CollectionName, name: string | undefined], Options> = {
  description: [
    "Collections have the names of docs/api.md, or these short names: projects, applications, agents, agent-credentials, service-accounts, service-account-credentials, role-bindings, policies, queries, profiles, resolvers, introspects, mcp-servers, audit-signings.",
  ],
  examples: [
    { purpose: "List the policies of the project", command: "ikg get policies" },
    { purpose: "Show all fields of a record", command: "ikg get policies may-fly -o yaml" },
    {
      purpose: "Print the first version of its text",
      command: "ikg get policies may-fly --revision 1 -o json | jq -r .policy",
    },
  ],
  configure: (command) =>
    void command
      .argument("<collection>", "collection", collectionArgument)
      .argument("[name]", "name or gid of one record; default: all records")
      .option("--search <text>", "only records with this text in the name, display name or description")
      .option("--type <kind>", "only policies of this type: kbac or ciq")
      .option(
        "--revision <number>",
        "show this version of the record",
        wholeNumber(1, Number.MAX_SAFE_INTEGER),
      ),
  run: async (invocation) => {
    const { args, options, print } = invocation;
    const [name, record] = args;
    const collection = openCollection(await openAdmin(invocation), name);
    if (record !== undefined) {
      await printRecord(print, await collection.get(record, { version: options.revision }));
      return;
    }
    const records = await collection.list({ search: options.search, type: options.type });
    await print.rows(records, columnsOf(records), { none: "None." });
  },
};
