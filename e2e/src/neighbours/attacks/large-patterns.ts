/** Patterns whose orders the planner compares: it takes seconds for each, and no two texts are the same. */
import { freshName } from "../../fresh-name.ts";
import { configs } from "../../requests/configs.ts";
import type { Answer } from "../../requests/send.ts";

const policy = (cypher: string): string =>
  JSON.stringify({
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Person" },
    actions: ["PLAN"],
    resource: { type: "Item" },
    condition: { cypher },
  });

const patterns: readonly ((number: number) => string)[] = [
  (number) =>
    `MATCH (subject:Person), (resource:Item), ${Array.from({ length: 20 }, (_, at) => `(subject)-[:A${number}]-(n${at})-[:B]-(resource)`).join(", ")}`,
  (number) =>
    `MATCH (subject:Person)${Array.from({ length: 40 }, (_, at) => `-[:A${number}]-(n${at})`).join("")}-[:Z]-(resource:Item)`,
  (number) =>
    `MATCH (subject:Person), (resource:Item), ${Array.from({ length: 30 }, (_, at) => `(n${at}:Item {x: ${number}})`).join(", ")}`,
];

/** Conditions, no two of which are the same. @param count how many */
export const largePatterns = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => patterns[at % patterns.length]?.(at) ?? "");

/** Validates a policy with this condition. @returns the answer, and the milliseconds until it came */
export const validatePattern = async (
  projectId: string,
  cypher: string,
): Promise<{ readonly answer: Answer; readonly ms: number }> => {
  const began = performance.now();
  const answer = await configs("/authorization-policies/validate", {
    json: { project_id: projectId, name: freshName("plan"), policy: policy(cypher), status: "ACTIVE" },
  });
  return { answer, ms: performance.now() - began };
};
