/** Persons and what they own: as many documents as an answer is to have rows. */
import { externalId, type Graph } from "../drive/graph.ts";
import { plan } from "./plan.ts";

/** Of each kind of document: those with many properties, and those with a title alone. */
const kinds = ["Document", "Leaflet"] as const;

export type DocumentType = (typeof kinds)[number];

const owned = [...plan.readers, plan.deep] as const;

const many = Object.fromEntries(
  Array.from({ length: plan.properties }, (_, at) => [`p${at}`, `value ${at} of a property`]),
);

/** The documents of every person begin with the first. */
export const graph: Graph = {
  nodes: [
    { type: "Person", count: owned.length, properties: (n) => ({ name: `Person ${n}` }) },
    {
      type: "Document",
      count: plan.deep,
      properties: (n) => ({ title: `Document ${n}`, level: n % 9, ...many }),
    },
    { type: "Leaflet", count: plan.deep, properties: (n) => ({ title: `Leaflet ${n}` }) },
  ],
  get relationships() {
    return kinds.map((target) => ({
      type: "OWNS",
      source: "Person",
      target,
      pairs: owned.flatMap((count, person) =>
        Array.from({ length: count }, (_, document) => [person, document] as const),
      ),
    }));
  },
};

/** The person with exactly as many documents. */
export const ownerOf = (rows: number): string =>
  externalId(
    "Person",
    owned.findIndex((count) => count === rows),
  );

export const firstDocument = externalId("Document", 0);
