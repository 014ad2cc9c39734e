/** The hub graph: persons who own from 10 to 10^5 documents, and documents that as many persons own. */
import type { Graph } from "./graph.ts";
import { externalId } from "./graph.ts";

export const degrees = [10, 100, 1_000, 10_000, 100_000] as const;

export type Degree = (typeof degrees)[number];

const most = Math.max(...degrees);

/** Every subject may read everything that it owns. */
const level = 1;

/** Persons and documents `0` to `most` - 1 have few neighbours; the hubs follow, then one of each without any. */
const hubNumber = (degree: Degree): number => most + degrees.indexOf(degree);
const isolatedNumber = most + degrees.length;

const pairs = (degree: Degree, pair: (hub: number, n: number) => readonly [number, number]) =>
  Array.from({ length: degree }, (_, n) => pair(hubNumber(degree), n));

export const hubGraph: Graph = {
  nodes: [
    {
      type: "Person",
      count: isolatedNumber + 1,
      properties: (n) => ({ name: `Person ${n}`, clearance: level }),
    },
    { type: "Document", count: isolatedNumber + 1, properties: (n) => ({ title: `Document ${n}`, level }) },
  ],
  get relationships() {
    const owns = { type: "OWNS", source: "Person", target: "Document" } as const;
    return [
      { ...owns, pairs: degrees.flatMap((degree) => pairs(degree, (hub, n) => [hub, n])) },
      { ...owns, pairs: degrees.flatMap((degree) => pairs(degree, (hub, n) => [n, hub])) },
    ];
  },
};

export const hubPerson = (degree: Degree): string => externalId("Person", hubNumber(degree));

export interface HubQuestion {
  readonly body: string;
  readonly expected: boolean;
}

const question = (person: number, document: number, expected: boolean): HubQuestion => ({
  expected,
  body: JSON.stringify({
    subject: { type: "Person", id: externalId("Person", person) },
    action: { name: "READ" },
    resource: { type: "Document", id: externalId("Document", document) },
  }),
});

const neighbours = 64;

/** Half allowed. The neighbours in the requests are spread over all of them. */
export const hubQuestions = (side: "subject" | "resource", degree: Degree): readonly HubQuestion[] => {
  const hub = hubNumber(degree);
  const ask = (other: number, expected: boolean): HubQuestion =>
    side === "subject" ? question(hub, other, expected) : question(other, hub, expected);
  return Array.from({ length: neighbours }, (_, n) => [
    ask(Math.floor((n * degree) / neighbours), true),
    ask(isolatedNumber, false),
  ]).flat();
};
