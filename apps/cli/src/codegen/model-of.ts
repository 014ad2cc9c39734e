import {
  type CiqPolicy,
  compilePolicy,
  type KbacPolicy,
  type NodePath,
  type RequiredInputs,
} from "@ikg/policy-core";
import { compileQuery, type KnowledgeQuery } from "@ikg/policy-core/queries";
import type {
  ModelSources,
  NamedQuery,
  Parameters,
  ProjectModel,
  QueryModel,
  RowPath,
} from "./project-model.ts";

/** Parameters that a policy or query uses. */
const parametersOf = ({ references }: RequiredInputs): Parameters => {
  const params = new Map<string, "value" | "object">();
  for (const reference of references.values())
    if (reference.kind === "parameter" && params.get(reference.name) !== "object")
      params.set(reference.name, reference.path.length > 0 ? "object" : "value");
  return params;
};

type Actions = Map<string, Map<string, Map<string, Map<string, "value" | "object">>>>;

const inside = <V>(map: Map<string, V>, key: string, made: () => V): V => {
  const known = map.get(key) ?? made();
  map.set(key, known);
  return known;
};

/** Several policies may have the same action. All their parameters are required, because a missing one can fail the request. */
const addActions = (
  actions: Actions,
  { subjectType, resourceType, actions: names, needs }: KbacPolicy,
): void => {
  const ofSubject = inside(actions, subjectType, () => new Map());
  const ofResource = inside(ofSubject, resourceType, () => new Map());
  for (const name of names) {
    const params = inside(ofResource, name, () => new Map());
    for (const [param, kind] of parametersOf(needs)) params.set(param, kind);
  }
};

const nodePath = (path: NodePath): RowPath => {
  switch (path.kind) {
    case "node":
    case "all":
    case "all-properties":
    case "property-and-metadata":
    case "all-metadata":
    case "all-trust":
      return { path: path.text, type: "open" };
    case "system":
      return { path: path.text, type: path.field === "external_id" ? "string" : "value" };
    default:
      return { path: path.text, type: "value" };
  }
};

const queryModel = ({ needs, writes, nodes, relationships, aggregates }: KnowledgeQuery): QueryModel => ({
  params: parametersOf(needs),
  writes: writes !== undefined,
  row: {
    nodes: nodes.map(nodePath),
    relationships: relationships.map(({ text, kind }) => ({
      path: text,
      type: kind === "property" ? "value" : "open",
    })),
    aggregate_values: aggregates.map((path) => ({ path, type: "value" })),
  },
});

/** Undefined for a policy or query that is no longer valid, and therefore grants or returns nothing. */
const compiled = <T>(checked: { ok: true; value: T } | { ok: false }): T | undefined =>
  checked.ok ? checked.value : undefined;

const compiledQuery = (
  { text, policy }: NamedQuery,
  policies: ReadonlyMap<string, CiqPolicy>,
): KnowledgeQuery | undefined => {
  const of = policies.get(policy);
  return of === undefined ? undefined : compiled(compileQuery(text, of));
};

/** The model of a project. Policies and queries that do not compile are omitted, because the services reject them as well. */
export const modelOf = ({ policies, queries, graph }: ModelSources): ProjectModel => {
  const actions: Actions = new Map();
  const ciq = new Map<string, CiqPolicy>();
  const nodes = new Map(graph.nodes);
  const know = (type: string): void => {
    if (!type.startsWith("_") && !nodes.has(type)) nodes.set(type, new Map());
  };
  for (const { name, text } of policies) {
    const policy = compiled(compilePolicy(text));
    if (policy?.kind === "ciq") ciq.set(name, policy);
    if (policy?.kind === "kbac") {
      addActions(actions, policy);
      know(policy.resourceType);
    }
    if (policy !== undefined) know(policy.subjectType);
  }
  const ofQueries = queries.flatMap((query) => {
    const valid = compiledQuery(query, ciq);
    return valid === undefined ? [] : [[query.name, queryModel(valid)] as const];
  });
  return { nodes, relationships: graph.relationships, actions, queries: new Map(ofQueries) };
};
