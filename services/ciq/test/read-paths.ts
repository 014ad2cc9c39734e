/** What paths of a query show of the first chart of the wards. Shared by tests of single paths and of several together. */
import type { Json } from "./ciq-under-test.ts";
import { at, here, policy } from "./read-wards.ts";

export const all = policy({ nodes: ["chart.*", "w.*", "subject"], relationships: ["h"] });

export const one = { attribute: "chart.external_id", operator: "=", value: "c1" };

/** What a query with these paths shows. */
export const readPaths = async (
  paths: readonly string[],
  list: "nodes" | "relationships" = "nodes",
): Promise<Json> => {
  const [row] = await here.execute(all, { [list]: paths, filter: one });
  return (list === "nodes" ? row?.nodes : row?.relationships) ?? {};
};

/** A path, and what it shows. */
export type PathCase = readonly [path: string, expected: Json];

/** Paths of a group show different keys, so that one query can name them all: the database plans a text for each query. */
export const nodePaths: readonly (readonly PathCase[])[] = [
  [
    ["chart.external_id", { "chart.external_id": "c1" }],
    ["chart.type", { "chart.type": "Chart" }],
    ["chart.create_time", { "chart.create_time": at }],
    ["chart.property.title", { "chart.property.title": "One" }],
    ["chart.property.risk", { "chart.property.risk": 1 }],
    ["chart.property.weight", { "chart.property.weight": 1.5 }],
    ["chart.property.open", { "chart.property.open": true }],
    ["chart.property.tags", { "chart.property.tags": ["a", "b"] }],
    ["chart.property.type", { "chart.property.type": "paper" }],
    ["chart.property.absent", { "chart.property.absent": null }],
    ["chart.property.title.metadata.source", { "chart.property.title.metadata.source": "s" }],
    ["chart.property.title.metadata.absent", { "chart.property.title.metadata.absent": null }],
    ["chart.trust_score._final_score", { "chart.trust_score._final_score": 0.5 }],
    ["w.trust_score._origin", { "w.trust_score._origin": null }],
  ],
  [
    ["chart.property.title.value", { "chart.property.title.value": "One" }],
    [
      "chart.property.title.*",
      {
        "chart.property.title": "One",
        "chart.property.title.metadata.note": "n",
        "chart.property.title.metadata.source": "s",
      },
    ],
    [
      "chart.trust_score.*",
      {
        "chart.trust_score._final_score": 0.5,
        "chart.trust_score._validity": 1,
        "chart.trust_score._verification": 0.1,
        "chart.trust_score._freshness": 0.2,
        "chart.trust_score._origin": 0.3,
        "chart.trust_score._completeness": 0.4,
      },
    ],
  ],
  [
    [
      "chart.property.title.metadata.*",
      { "chart.property.title.metadata.note": "n", "chart.property.title.metadata.source": "s" },
    ],
    [
      "chart.property.*",
      {
        "chart.property._own": 1,
        "chart.property.open": true,
        "chart.property.risk": 1,
        "chart.property.scan": null,
        "chart.property.tags": ["a", "b"],
        "chart.property.title": "One",
        "chart.property.type": "paper",
        "chart.property.weight": 1.5,
      },
    ],
  ],
];

/** As `nodePaths`, of the relationship to the chart. */
export const relationshipPaths: readonly (readonly PathCase[])[] = [
  [
    ["h.since", { "h.since": 2020 }],
    ["h.type", { "h.type": "HOLDS" }],
    ["h.absent", { "h.absent": null }],
  ],
  [["h.*", { "h.since": 2020, "h._x": 1, "h.type": "HOLDS", "h.create_time": at, "h.update_time": at }]],
];
