import type { Entity, WholeNode } from "@ikg/client";
import { openAdmin } from "../../connection/clients.ts";
import { entityOf } from "../../input/entity.ts";
import type { CommandModule } from "../../program/command-module.ts";

/** The node as one table: its fields, a row for each property and metadata entry, and the scores. */
const flat = ({ properties, trust_score: scores, labels, ...fields }: WholeNode): [string, unknown][] => [
  ...Object.entries({ ...fields, labels: labels.join(", ") }),
  ...properties.flatMap(({ type, value, external_value, metadata = {} }): [string, unknown][] => [
    [`property.${type}`, external_value === undefined ? value : `(resolver ${external_value})`],
    ...Object.entries(metadata).map(([key, each]): [string, unknown] => [`property.${type}.${key}`, each]),
  ]),
  ...Object.entries(scores ?? {}).map(([name, score]): [string, unknown] => [`trust_score.${name}`, score]),
];

/** `ikg graph node`. */
export const command: CommandModule<[node: Entity]> = {
  description: [
    "Shows properties with metadata, extra labels, times and the trust score. Values of external data resolvers are not fetched: only the resolver is named. The token requires the role owner or data_viewer; each call is recorded in the audit log.",
  ],
  examples: [
    { purpose: "Show a pilot", command: "ikg graph node Pilot/amelia" },
    {
      purpose: "Print one property",
      command: `ikg graph node Pilot/amelia --output json | jq '.properties[] | select(.type == "hours").value'`,
    },
  ],
  configure: (command) => void command.argument("<node>", "Type/id", entityOf),
  run: async (invocation) => {
    const { args, print } = invocation;
    const [{ type, id }] = args;
    const { graph } = await openAdmin(invocation);
    const node = await graph.node({ type, external_id: id });
    await (print.format === "table"
      ? print.rows(flat(node), [
          { header: "FIELD", value: ([field]) => field },
          { header: "VALUE", value: ([, value]) => value },
        ])
      : print.record(node));
  },
};
