/**
 * Who owns which document: 2,000 persons, 20,000 documents, 40 departments. A person may read a document that she
 * owns and whose level her clearance reaches.
 */
import type { GraphNode } from "@ikg/client";
import type { Graph } from "../capture-graph.ts";
import { type Random, seeded } from "../random.ts";

export const sizes = { persons: 2_000, documents: 20_000, departments: 40, questions: 20_000 } as const;

const levels = 5;
/** owners of a document: one to three */
const mostOwners = 3;

export interface Question {
  readonly person: string;
  readonly document: string;
  readonly expected: boolean;
}

export interface Data extends Graph {
  readonly questions: readonly Question[];
}

interface Owned {
  readonly document: number;
  readonly level: number;
  readonly owners: ReadonlySet<number>;
}

const ref = (type: string, external_id: string) => ({ type, external_id });
const person = (n: number) => ref("Person", `person-${n}`);
const document = (n: number) => ref("Document", `document-${n}`);
const department = (n: number) => ref("Department", `department-${n}`);

/** From a pair of which half the time the answer is yes; the noes are half no owner, half too high a level. */
const questionOf = (random: Random, owned: readonly Owned[], clearance: readonly number[]): Question => {
  const kind = random.integer(4);
  for (;;) {
    const { document: n, level, owners } = random.pick(owned);
    const candidate = kind === 2 ? random.integer(sizes.persons) : random.pick([...owners]);
    const owns = owners.has(candidate);
    const reaches = level <= (clearance[candidate] ?? 0);
    const wanted = kind < 2 ? owns && reaches : kind === 2 ? !owns : owns && !reaches;
    if (wanted)
      return {
        person: person(candidate).external_id,
        document: document(n).external_id,
        expected: owns && reaches,
      };
  }
};

/** The same seed gives the same graph and the same questions. */
export const makeData = (seed: number): Data => {
  const random = seeded(seed);
  const clearance = Array.from({ length: sizes.persons }, () => 1 + random.integer(levels));
  const owned = Array.from({ length: sizes.documents }, (_, n): Owned => ({
    document: n,
    level: 1 + random.integer(levels),
    owners: new Set(
      Array.from({ length: 1 + random.integer(mostOwners) }, () => random.integer(sizes.persons)),
    ),
  }));
  const nodes: GraphNode[] = [
    ...Array.from({ length: sizes.departments }, (_, n) => ({
      ...department(n),
      properties: [{ type: "name", value: `Department ${n}` }],
    })),
    ...clearance.map((value, n) => ({
      ...person(n),
      is_identity: true,
      properties: [
        { type: "name", value: `Person ${n}` },
        { type: "clearance", value, metadata: { source: "bench", assurance_level: 2 as const } },
      ],
    })),
    ...owned.map(({ level }, n) => ({
      ...document(n),
      properties: [
        { type: "title", value: `Document ${n}` },
        { type: "level", value: level, metadata: { source: "bench", assurance_level: 2 as const } },
      ],
    })),
  ];
  const relationships = [
    ...clearance.map((_, n) => ({
      source: person(n),
      type: "WORKS_IN",
      target: department(n % sizes.departments),
    })),
    ...owned.flatMap(({ document: n, owners }) => [
      { source: document(n), type: "BELONGS_TO", target: department(random.integer(sizes.departments)) },
      ...[...owners].map((owner) => ({ source: person(owner), type: "OWNS", target: document(n) })),
    ]),
  ];
  const questions = Array.from({ length: sizes.questions }, () => questionOf(random, owned, clearance));
  return { nodes, relationships, questions };
};

/** The rule as a policy; `driver.ts` holds the same rule written by hand. */
export const policy = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["READ"],
  resource: { type: "Document" },
  condition: {
    cypher:
      "MATCH (subject:Person)-[:OWNS]->(resource:Document) " +
      "WHERE resource.property.level <= subject.property.clearance",
  },
};
