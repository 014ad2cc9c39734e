import type { Row } from "@ikg/graph";
import { scorableNode } from "../src/score/scorable.ts";
import { defaultConstants } from "../src/score/constants.ts";
import { scoreNode } from "../src/score/score-node.ts";

const day = 86_400_000;
const since = Date.parse("2024-01-01T00:00:00Z");
const at = (i: number): string => new Date(since + ((i * 37) % 800) * day).toISOString();

/** Fields of so many nodes, no two of which need be alike, by external id. */
export const people = (count: number): Readonly<Record<string, Row>> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `p${i}`,
      {
        name: `Person ${i}`,
        create_time: at(i),
        update_time: at(i + 1),
        "name.update_time": at(i + 2),
        ...(i % 3 === 0 ? { "name.metadata.verified_time": at(i + 3) } : {}),
        ...(i % 2 === 0 ? { "name.metadata.source": "id-verifier.gov" } : {}),
      },
    ]),
  );

/** The final score of a person under the dimensions of the tests' profiles, for a run that began then. */
export const finalScore = (fields: Row, startTime: unknown): number | null =>
  scoreNode(scorableNode(fields), {
    dimensions: [
      { name: "FRESHNESS", weight: 1 },
      { name: "ORIGIN", weight: 1 },
      { name: "VERIFICATION", weight: 1 },
    ],
    now: Date.parse(String(startTime)),
    expected: new Set(),
    constants: defaultConstants,
  }).final;
