import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Graph } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import { type StatementSequence, explainDecision, explainRead } from "../src/explain/index.ts";
import { bindRow, compilePolicy, type RequiredInputs } from "../src/index.ts";
import { compileQuery } from "../src/query/index.ts";
import { warningCodes, warningsOf, queryWarningsOf, type Warning } from "../src/warnings/index.ts";
import { corpusIsAbsent } from "../../../stack/src/testing/corpus.ts";
import { corpus, type CorpusEntry, queriesOf } from "./corpus.ts";
import { freshKey, openTestGraph, options } from "./graph.ts";

let graph: Graph;
let pk: ProjectKey;

beforeAll(async () => {
  graph = openTestGraph();
  await graph.prepare();
  pk = freshKey();
});
afterAll(() => graph.close());

/** Values for everything that a text needs: any will do for statements that find nothing. */
const rowOf = (needs: RequiredInputs, type: string): object => {
  const inputParams = Object.fromEntries(
    [...needs.parameterChecks].map(([name, checks]) => [
      name,
      checks.has("array") ? ["x"] : checks.has("count") ? 1 : "x",
    ]),
  );
  return {
    s: nodeKey(pk, type, "nobody"),
    r: nodeKey(pk, type, "nothing"),
    ...bindRow(needs, { inputParams, token: { sub: "nobody" }, applicationId: "none" }),
  };
};

/** Runs the statements of an explanation with answers that make it go on to the last part. */
const walk = async <T>(statements: StatementSequence<T>, row: object): Promise<number> => {
  let count = 0;
  for (let turn = statements.next(); turn.done !== true; count += 1) {
    const rows = await graph.shared.read(turn.value, { __row: row }, options);
    const isEnds = turn.value.startsWith("OPTIONAL MATCH (subject");
    const isFound = /RETURN true AS found( LIMIT 1)?$/.test(turn.value);
    turn = statements.next(isEnds ? [{ subject: true, resource: true }] : isFound ? [{ found: true }] : rows);
  }
  return count;
};

const isPlaced = ({ code, path, line, column }: Warning, cypher: string): boolean => {
  if (!warningCodes.includes(code) || !/^(policy|query)\./.test(path)) return false;
  if (path !== "policy.condition.cypher") return line === undefined;
  const text = cypher.split("\n")[(line ?? 0) - 1];
  return text !== undefined && column !== undefined && column >= 1 && column <= text.length;
};

const policies = corpus.filter(({ kind }) => kind !== "query");
const check = async ({ policy: json, ...entry }: CorpusEntry): Promise<void> => {
  const checked = compilePolicy(JSON.stringify(json));
  // What is refused needs no explanation.
  if (!checked.ok) return;
  const policy = checked.value;
  const { text } = policy.condition;
  expect(warningsOf(policy, { pk }).filter((warning) => !isPlaced(warning, text))).toEqual([]);
  if (policy.kind === "kbac") {
    const row = rowOf(policy.needs, policy.subjectType);
    expect(await walk(explainDecision(policy, pk), row)).toBeGreaterThan(1);
    return;
  }
  for (const definition of queriesOf(entry)) {
    const query = compileQuery(JSON.stringify(definition), policy);
    if (!query.ok) continue;
    expect(queryWarningsOf(query.value, { pk }).filter((warning) => !isPlaced(warning, text))).toEqual([]);
    const row = rowOf(query.value.needs, policy.subjectType);
    expect(await walk(explainRead(query.value, pk), row)).toBeGreaterThan(0);
  }
};

describe("policies and queries that people wrote", () => {
  (corpusIsAbsent === undefined ? it : it.skip)(
    `are explained by statements that the database takes, and advised at places that they have${
      corpusIsAbsent === undefined ? "" : ` (skipped: ${corpusIsAbsent})`
    }`,
    async () => {
      for (const entry of policies) await check(entry);
    },
    120_000,
  );
});
