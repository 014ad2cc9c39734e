import type { Entity, Neighbour, NeighboursOptions } from "@ikg/client";
import { Option } from "commander";
import { openAdmin } from "../../connection/clients.ts";
import { collectNames } from "../../input/collect-names.ts";
import { entityOf } from "../../input/entity.ts";
import { addLimit, limited, pageSizeOf, type SearchLimit } from "../../input/search-options.ts";
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
    "Each relationship of the node with the node at its other end, page by page, ordered by the type of the relationship. The token needs the role owner or data_viewer; each page is an audit record.",
  ],
  examples: [
    { does: "What a pilot is related to", command: "ikg graph neighbours Pilot/amelia" },
    {
      does: "Who is rated for a model",
      command: "ikg graph neighbours Model/dc3 --types RATED_FOR --direction in --limit 100",
    },
  ],
  configure: (command) =>
    void addLimit(
      command
        .argument("<node>", "Type/id", entityOf)
        .option(
          "--types <types>",
          "relationship types, with commas between them; all without it",
          collectNames,
        )
        .addOption(
          new Option(
            "--direction <direction>",
            "relationships that leave the node, or that end there",
          ).choices(["out", "in", "both"]),
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
    await print.rows(limited(found, limit), columns, { none: "No neighbours." });
  },
};
