import { nodeKey, projectKey } from "@ikg/physical";
import {
  bindValues,
  compileCiq,
  compileKbac,
  missingParameters,
  missingParameterText,
  resolveRoute,
  type Checked,
  type Composite,
  type KbacPolicy,
} from "../../../src/index.ts";
import { compileQuery, type KnowledgeQuery } from "../../../src/query/index.ts";
import { bindUpserts, planWrites, writeStatements } from "../../../src/statements/index.ts";
import { policyOf } from "../versions.ts";
import type { Refusal } from "./refusal.ts";

/** A call that is refused though its policy and its query are good; `example` says which. */
export interface RequestRefusal extends Refusal {
  /** The texts of the 422. */
  readonly refused: () => readonly string[];
}

const good = <T>(checked: Checked<T>): T => {
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  return checked.value;
};

const kbac = (cypher: string): KbacPolicy =>
  good(compileKbac(JSON.stringify(policyOf("3.0-kbac", { cypher }))));

const missing = (cypher: string, inputParams: object): readonly string[] =>
  missingParameters(kbac(cypher).needs, { ...inputParams }).map(missingParameterText);

const composite: Composite = { database: "archive", constituents: new Map([["north", "db1"]]) };

const route = (at: string, inputParams: object, where: Composite | undefined): readonly string[] => {
  const { targets } = kbac(`USE graph.byName(${at}) MATCH (subject), (resource)`);
  const found = resolveRoute(targets, { ...inputParams }, where);
  return found.ok ? [] : found.faults;
};

const pk = projectKey("00000000");

const writing = (query: object, cypher = "MATCH (subject:Archivist)-[care]->(film)"): KnowledgeQuery => {
  const policy = policyOf(
    "1.0-ciq",
    { cypher },
    {
      allowed_upserts: {
        nodes: { existing_nodes: ["film"], node_types: ["Note"] },
        relationships: { existing_relationships: ["care"] },
      },
    },
  );
  return good(compileQuery(JSON.stringify(query), good(compileCiq(JSON.stringify(policy)))));
};

/** What is refused when the query runs on rows with this node and this type of relationship. */
const write = (query: KnowledgeQuery, inputParams: object, found: { node: string; type: string }) => {
  const statements = writeStatements(query, pk);
  if (statements === undefined) throw new Error("the query writes nothing");
  const values = bindValues(query.needs, { inputParams: { ...inputParams }, token: {} });
  const bound = bindUpserts(statements.writes, values, "2026-01-01T00:00:00.000Z");
  if (!bound.ok) return bound.faults;
  const { nodes, relationships } = statements.match;
  const row = {
    [nodes.get("film") ?? ""]: found.node,
    [relationships.get("care")?.type ?? ""]: found.type,
  };
  const plan = planWrites(statements, bound.value, [row], { now: "", newNodeId: () => "" });
  return plan.ok ? [] : plan.faults;
};

const film = { node: nodeKey(pk, "Film", "a"), type: "CARES_FOR" };
const state = (value: unknown): object => ({
  upsert_nodes: [{ name: "film", properties: [{ type: "state", value }] }],
});

const pattern = "MATCH (subject), (resource) WHERE resource.property.title";

const parameters: readonly RequestRefusal[] = [
  {
    text: "missing or wrong input params, 'least'",
    example: "`$least` is read and is absent, or null",
    refused: () => missing(`${pattern} > $least`, { least: null }),
  },
  {
    text: "missing or wrong input params, 'titles'",
    example: "`IN $titles`, and the value is not an array",
    refused: () => missing(`${pattern} IN $titles`, { titles: "all" }),
  },
  {
    text: "missing or wrong input params, 'wanted' (at most 1000 entries, 4096 characters each, 65536 in all)",
    example: "`any(a IN $wanted WHERE any(b IN $wanted WHERE a = b))`, and the list has more entries",
    refused: () =>
      missing("MATCH (subject), (resource) WHERE any(a IN $wanted WHERE any(b IN $wanted WHERE a = b))", {
        wanted: Array.from({ length: 1_001 }, () => "a"),
      }),
  },
  {
    text: "missing or wrong input params, 'most'",
    example: "`LIMIT $most`, and the value is not an integer of 0 or more",
    refused: () => missing("MATCH (subject), (resource) WITH * LIMIT $most", { most: -1 }),
  },
  {
    text: "missing or wrong input params, 'form'",
    example: "`=~ $form`, and the value is not an accepted regular expression",
    refused: () => missing(`${pattern} =~ $form`, { form: "(a" }),
  },
  {
    text: "missing or wrong input params, 'note'",
    example: '`"external_id": "$note"`, and the value is not a string of 1-256 characters',
    refused: () => {
      const note = { upsert_nodes: [{ name: "note", type: "Note", external_id: "$note" }] };
      return missingParameters(writing(note).needs, { note: 7 }).map(missingParameterText);
    },
  },
];

const locations: readonly RequestRefusal[] = [
  {
    text: 'location parameter "$at" must be a non-empty string',
    example: "`graph.byName($at)`, and `at` is absent, empty or no text",
    refused: () => route("$at", {}, composite),
  },
  {
    text: 'unknown location "mars" for parameter "$at"',
    example: "`graph.byName($at)`, and the project has no location of that name",
    refused: () => route("$at", { at: "mars" }, composite),
  },
  {
    text: "the policy names an unknown location",
    example: "`graph.byName('archive.db9')`, and the project has no such constituent",
    refused: () => route("'archive.db9'", {}, composite),
  },
  {
    text: "policy requires a composite database, but the project has none configured",
    example: "any `USE`, in a project with one database",
    refused: () => route("$at", { at: "north" }, undefined),
  },
];

const writes: readonly RequestRefusal[] = [
  {
    text: "missing or wrong input params, 'state'",
    example: '`"value": "$state"`, and the value is of a kind that cannot be stored',
    refused: () => write(writing(state("$state")), { state: [[1]] }, film),
  },
  {
    text: "query.upsert_nodes[0].properties[0].value: $token.name is absent",
    example: '`"value": "$token.name"`, and the token has no such claim',
    refused: () => write(writing(state("$token.name")), {}, film),
  },
  {
    text: "query: nodes of type _Application can only be linked",
    example: "an alias without a label stands for a node of the platform",
    refused: () => write(writing(state(1)), {}, { ...film, node: nodeKey(pk, "_Application", "a") }),
  },
  {
    text: "query: relationships of type _HAS cannot be changed",
    example: "an alias without a type stands for a relationship of the platform",
    refused: () =>
      write(
        writing({ upsert_relationships: [{ name: "care", properties: [{ type: "duty", value: 1 }] }] }),
        {},
        { ...film, type: "_HAS" },
      ),
  },
];

export const requestRefusals: readonly RequestRefusal[] = [...parameters, ...locations, ...writes];
