/** Policies to compile: real ones where `IKG_CORPUS` names a folder of them, and some of this repository always. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { corpusFolder } from "../../../stack/src/testing/corpus.ts";

const kbac = (cypher: string, filter?: object): object => ({
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Engineer" },
  actions: ["OPERATE"],
  resource: { type: "Turbine" },
  condition: { cypher, ...(filter === undefined ? {} : { filter }) },
});

const ciq = (cypher: string, filter: readonly object[], nodes: readonly string[]): object => ({
  meta: { policy_version: "1.0-ciq" },
  subject: { type: "Engineer" },
  condition: { cypher, filter },
  allowed_reads: { nodes },
});

const ours: readonly object[] = [
  kbac("MATCH (subject:Engineer)-[:WORKS_AT]->(:Park)-[:RUNS]->(resource:Turbine)"),
  kbac(
    "MATCH (subject:Engineer)-[:HOLDS]->(licence:Licence), (subject)-[:WORKS_AT]->(park)-[:RUNS]->(resource) " +
      "WHERE licence.property.class >= resource.property.class AND licence.property.expires > $today " +
      "AND NOT (subject)-[:BANNED_FROM]->(park)",
    { attribute: "$token.scope", operator: "CONTAINS", value: "turbine:operate" },
  ),
  kbac(
    "MATCH (subject)-[:MEMBER_OF]->()-[:PART_OF*0..4]->(team:Team) WITH subject, collect(team) AS teams " +
      "MATCH (resource)<-[:RUNS]-(park) WHERE ANY(t IN teams WHERE EXISTS { (t)-[:SERVES]->(park) })",
  ),
  ciq(
    "MATCH (subject:Engineer)-[:WORKS_AT]->(park:Park)-[r:RUNS]->(turbine:Turbine)",
    [
      { attribute: "subject.external_id", operator: "=", value: "$token.sub" },
      { attribute: "turbine.property.output", operator: ">=", value: "$least" },
      { attribute: "turbine.trust_score._final_score", operator: ">", value: 0.5 },
    ],
    ["turbine.*", "park.property.name"],
  ),
];

/** The policies of one file of the corpus, as they would be saved. */
const corpusPolicies = (file: string): readonly string[] => {
  // The corpus' README gives the shape; drafts and refusals are no use here.
  const entries = JSON.parse(readFileSync(file, "utf8")) as readonly {
    kind: string;
    expected?: string;
    policy?: { meta: { policy_version: string } };
  }[];
  return entries.flatMap(({ kind, expected = "", policy }) => {
    if (kind === "query" || policy === undefined || expected.startsWith("rejected")) return [];
    const old = policy.meta.policy_version === "1.0-indykite";
    return [JSON.stringify(old ? { ...policy, meta: { policy_version: "2.0-kbac" } } : policy)];
  });
};

export interface Texts {
  readonly policies: readonly string[];
  readonly fromCorpus: number;
}

export const readTexts = (): Texts => {
  const folder = corpusFolder;
  const found =
    folder === undefined
      ? []
      : globSync("*/policies.json", { cwd: folder }).flatMap((file) => corpusPolicies(join(folder, file)));
  return { policies: [...ours.map((policy) => JSON.stringify(policy)), ...found], fromCorpus: found.length };
};

/** A policy whose cypher has just under `length` characters: one pattern with a WHERE of many conditions. */
export const longText = (length: number): string => {
  let cypher = "MATCH (subject)-[:RUNS]->(resource) WHERE resource.property.output0 >= 0";
  for (let n = 1; ; n++) {
    const condition = `(resource.property.output${n} >= ${n} OR subject.property.name${n} STARTS WITH 'north ${n}')`;
    if (cypher.length + condition.length + 5 > length) return JSON.stringify(kbac(cypher));
    cypher += ` AND ${condition}`;
  }
};
