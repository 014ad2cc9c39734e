import type { NodeSummary } from "@ikg/client";
import { openAdmin } from "../../connection/clients.ts";
import { typeOf } from "../../input/entity.ts";
import { addLimit, limitItems, pageSizeOf, type SearchLimit } from "../../input/search-options.ts";
import type { Column } from "../../output/print.ts";
import type { CommandModule } from "../../program/command-module.ts";

interface Options extends SearchLimit {
  readonly prefix?: string;
}

const columns: readonly Column<NodeSummary>[] = [
  { header: "TYPE", value: ({ type }) => type },
  { header: "ID", value: ({ external_id }) => external_id, whole: true },
  { header: "LABELS", value: ({ labels }) => labels.join(", ") },
  { header: "UPDATED", value: ({ update_time }) => update_time },
];

/** `ikg graph nodes`. */
export const command: CommandModule<[type: string | undefined], Options> = {
  description: [
    "Requests all pages; nodes are ordered by type and id. Nodes of the platform are omitted. The token requires the role owner or data_viewer; each page is recorded in the audit log.",
  ],
  examples: [
    { purpose: "Pilots whose ids start with am", command: "ikg graph nodes Pilot --prefix am" },
    {
      purpose: "The first ten nodes of any type, as JSON",
      command: "ikg graph nodes --limit 10 --output json",
    },
  ],
  configure: (command) =>
    void addLimit(
      command
        .argument("[type]", "type of the nodes; default: all types", typeOf)
        .option("--prefix <text>", "only nodes whose id starts with this text; requires the type"),
    ),
  run: async (invocation) => {
    const { args, options, print } = invocation;
    const [type] = args;
    const { graph } = await openAdmin(invocation);
    const found = graph.nodes({ type, prefix: options.prefix, pageSize: pageSizeOf(options, 500) ?? 500 });
    await print.rows(limitItems(found, options.limit), columns, { none: "No nodes." });
  },
};
