import { type Graph, isGraphNode, isGraphRelationship } from "@ikg/graph";
import { nodeKey, type ProjectKey } from "@ikg/physical";
import { compileCiq, missingParameters } from "../../src/index.ts";
import { compileQuery, type KnowledgeQuery } from "../../src/query/index.ts";
import { pageOf, readStatement } from "../../src/statements/index.ts";
import { boundRowOf, inputsOf } from "./bound.ts";
import type { QueryGroup } from "./generate/cases.ts";
import type { InputsSpec } from "./model.ts";
import { readRows } from "./outcome.ts";
import { ciqJson, type ProjectionSpec, queryJson, type QuerySpec } from "./policy.ts";
import { logicalGid } from "./store.ts";
import { isEdge, isList, isNode, show, unordered, type Value } from "./values.ts";
import { failure, type Verdict } from "./verdict.ts";
import { worldOf } from "./world.ts";
import { anyCost } from "./any-cost.ts";

const options = { timeoutMs: 80_000 };

const expectedText = (value: Value): string => {
  if (isList(value)) return unordered(value.map(expectedText));
  if (isNode(value)) return `node ${value.gid}`;
  if (isEdge(value)) return `edge ${show(value.properties.get("w") ?? null)}`;
  return typeof value === "bigint" ? JSON.stringify(Number(value)) : JSON.stringify(value);
};

/** Stands for a value that is known only at run time; the language has no value there. */
const isReference = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "resolver" in value && "external_id" in value;

const foundText = (value: unknown): string => {
  if (isReference(value)) return JSON.stringify(null);
  if (Array.isArray(value)) return unordered(value.map(foundText));
  if (isGraphNode(value)) {
    const id: unknown = value.properties["id"];
    return `node ${typeof id === "string" ? logicalGid(id) : "null"}`;
  }
  if (isGraphRelationship(value)) return `edge ${String(value.properties["w"])}`;
  return JSON.stringify(value ?? null);
};

/** The gid of a project's node begins with its key, which the oracle does not know. */
const isGid = (spec: ProjectionSpec): boolean =>
  spec.kind === "node" && spec.step.to === "system" && spec.step.name === "id";

/** The projections in the order of the statement's columns: nodes, relationships, values, each path once. */
const columnOrder = (query: QuerySpec): readonly ProjectionSpec[] => {
  const seen = new Set<string>();
  return (["node", "edge", "value"] as const).flatMap((kind) =>
    query.projections.filter((each) => {
      const text = JSON.stringify(
        each.kind === "node" ? { ...each, step: { ...each.step, long: undefined } } : each,
      );
      if (each.kind !== kind || seen.has(text)) return false;
      seen.add(text);
      return true;
    }),
  );
};

/** A query through policy-core; its refusal as a verdict. */
export const compileSpec = (query: QuerySpec): KnowledgeQuery | Verdict => {
  const policy = compileCiq(JSON.stringify(ciqJson(query)), anyCost);
  if (!policy.ok) return { kind: "refused", what: policy.faults.join("; ") };
  const checked = compileQuery(JSON.stringify(queryJson(query)), policy.value, anyCost);
  return checked.ok ? checked.value : { kind: "refused", what: checked.faults.join("; ") };
};

/** The rows of a reading query as texts, sorted. */
export const readFrom = async (
  graph: Graph,
  pk: ProjectKey,
  spec: QuerySpec,
  query: KnowledgeQuery,
  given: InputsSpec,
  page: { readonly skip: number; readonly take: number } = { skip: 0, take: 100_000 },
): Promise<readonly string[]> => {
  const { text, columns } = readStatement(query, pk);
  const inputs = inputsOf(given, {}, spec.applicationId);
  const pinned = spec.subjectType === "_Application" ? spec.applicationId : String(inputs.token?.["sub"]);
  const row = { s: nodeKey(pk, spec.subjectType, pinned), ...page, ...boundRowOf([query.needs], inputs) };
  const rows = pageOf(await graph.shared.read(text, { __row: row }, options));
  const order = columnOrder(spec);
  return rows.map((values) =>
    columns
      .map((_, index) => {
        const value = values[index];
        const projected = order[index];
        const gid = projected !== undefined && isGid(projected) && typeof value === "string";
        return foundText(gid ? logicalGid(value) : value);
      })
      .join(" | "),
  );
};

const checkQuery = async (
  graph: Graph,
  pk: ProjectKey,
  group: QueryGroup,
  spec: QuerySpec,
): Promise<Verdict> => {
  const compiled = compileSpec(spec);
  if ("kind" in compiled) return compiled;
  const world = worldOf(group.graph);
  const ordered: QuerySpec = { ...spec, projections: columnOrder(spec) };
  let found = 0;
  for (const [index, given] of group.inputs.entries()) {
    const absent = missingParameters(compiled.needs, inputsOf(given).inputParams);
    if (absent.length > 0) return { kind: "refused", what: `needs ${absent.join(", ")}` };
    const wanted = readRows(ordered, world, given).map((row) => row.map(expectedText).join(" | "));
    const got = await readFrom(graph, pk, spec, compiled, given);
    if (wanted.toSorted().join("\n") !== got.toSorted().join("\n")) {
      const what = `inputs ${index}: expected ${JSON.stringify(wanted.toSorted())}, got ${JSON.stringify(got.toSorted())}`;
      return { kind: "differs", what };
    }
    found += got.length;
  }
  return { kind: "agrees", interesting: found > 0 };
};

/** Asks every query of a group and compares the rows with the oracle's. */
export const checkQueryGroup = async (
  graph: Graph,
  pk: ProjectKey,
  group: QueryGroup,
): Promise<readonly Verdict[]> => {
  const verdicts: Verdict[] = [];
  for (const spec of group.queries) verdicts.push(await checkQuery(graph, pk, group, spec).catch(failure));
  return verdicts;
};
