import type { Entity, Neighbour, NeighboursOptions } from "@ikg/client";
import { Option } from "commander";
import { openAdmin } from "../../connection/clients.ts";
import { collectNames } from "../../input/collect-names.ts";
import { entityOf } from "../../input/entity.ts";
import { addLimit, limitItems, pageSizeOf, type SearchLimit } from "../../input/search-options.ts";
import type { Column } from "../../output/print.ts";
import type { CommandModule } from "../../program/command-module.ts";

interface Options extends SearchLimit {
  readonly types?: readonly string[];
  readonly direction?: NonNullable<NeighboursOptions["direction"]>;
}

const columns: readonly Column<Neighbour>[] = [
  { header: "DIRECTION", value: ({ relationship }) => relationship.direction },
  { header: "RELATIONSHIP", value: ({ relationship }) => relationship.type },
  { header: "TYPE", value: ({ node }) => node.type },
  { header: "ID", value: ({ node }) => node.external_id, whole: true },
  {
    header: "PROPERTIES",
    value: ({ relationship: { properties } }) =>
      properties.map(({ type, value }) => `${type}=${JSON.stringify(value)}`).join(" "),
  },
];

/** `ikg graph neighbours`. */
export const command: CommandModule<[node: Entity], Options> = {
  description: [
    "Shows each relationship of the node and the node at its other end. Requests all pages; relationships are ordered by type. The token requires the role owner or data_viewer; each page is recorded in the audit log.",
  ],
  examples: [
    { purpose: "List the relationships of a pilot", command: "ikg graph neighbours Pilot/amelia" },
    {
      purpose: "List the pilots who are rated for a model",
      command: "ikg graph neighbours Model/dc3 --types RATED_FOR --direction in --limit 100",
    },
  ],
  configure: (command) =>
    void addLimit(
      command
        .argument("<node>", "Type/id", entityOf)
        .option("--types <types>", "comma-separated relationship types; default: all", collectNames)
        .addOption(
          new Option("--direction <direction>", "outgoing or incoming relationships, or both").choices([
            "out",
            "in",
            "both",
          ]),
        ),
    ),
  run: async (invocation) => {
    const { args, options, print } = invocation;
    const [{ type, id }] = args;
    const { types, direction, limit } = options;
    const { graph } = await openAdmin(invocation);
    const found = graph.neighbours(
      { type, external_id: id },
      { types, direction, pageSize: pageSizeOf(options, 500) ?? 500 },
    );
    await print.rows(limitItems(found, limit), columns, { none: "No neighbours." });
  },
};
