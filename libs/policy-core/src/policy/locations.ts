import type { CallClause, Clause, Query, UseClause } from "../cypher/ast.ts";
import { nodesOf } from "../cypher/walk.ts";
import { type JsonObject, member } from "../json.ts";

/** Where `USE graph.byName(…)` sends a text: a graph by its name, or the logical location that a parameter names. */
type Location =
  | { readonly kind: "graph"; readonly name: string }
  | { readonly kind: "parameter"; readonly name: string };

/** Where the patterns of a text run: each location once, undefined for patterns outside every USE. */
export type Targets = readonly (Location | undefined)[];

/** A project's composite database. */
export interface Composite {
  /** `db_connection.composite_db_name`. */
  readonly database: string;
  /** `db_connection.alias_mapping`: logical location to constituent. */
  readonly constituents: ReadonlyMap<string, string>;
}

/** Where one request goes. */
export interface Route {
  /** The one constituent that the whole text runs on; undefined when it reaches several databases. */
  readonly constituent: string | undefined;
  /** Graph names of the location parameters, for `$__row.g` of a composite statement. */
  readonly graphs: Readonly<Record<string, string>>;
}

const locationOf = ({ argument }: UseClause): Location =>
  argument.kind === "string"
    ? { kind: "graph", name: argument.value }
    : { kind: "parameter", name: argument.kind === "parameter" ? argument.name : argument.key };

const keyOf = (location: Location | undefined): string =>
  location === undefined ? "" : `${location.kind}:${location.name}`;

const hasPatterns = (clause: Exclude<Clause, CallClause>): boolean => {
  for (const node of nodesOf(clause)) if (node.kind === "node") return true;
  return false;
};

const collect = (
  query: Query,
  around: Location | undefined,
  found: Map<string, Location | undefined>,
): void => {
  const [first] = query.clauses;
  const routed = first?.kind === "use";
  const here = routed ? locationOf(first) : around;
  if (routed) found.set(keyOf(here), here);
  for (const clause of query.clauses) {
    if (clause.kind === "call") collect(clause.body, here, found);
    else if (hasPatterns(clause)) found.set(keyOf(here), here);
  }
};

/** Where the patterns of a text run; one entry, undefined, for a text without USE. */
export const targetsOf = (query: Query): Targets => {
  const found = new Map<string, Location | undefined>();
  collect(query, undefined, found);
  return [...found.values()];
};

/** True when a text states where it runs. */
export const isRouted = (targets: Targets): boolean => targets.some((target) => target !== undefined);

/** Callers know logical locations alone, so the constituent that the author wrote is not named. */
const unknownStatic = "the policy names an unknown location";

const graphOf = (
  location: Location,
  composite: Composite,
  inputParams: JsonObject,
): { readonly constituent: string } | { readonly fault: string } => {
  if (location.kind === "graph") {
    const dot = location.name.indexOf(".");
    const constituent = location.name.slice(dot + 1);
    const known =
      location.name.slice(0, dot) === composite.database &&
      [...composite.constituents.values()].includes(constituent);
    return known ? { constituent } : { fault: unknownStatic };
  }
  const value = member(inputParams, location.name);
  const constituent = typeof value === "string" ? composite.constituents.get(value) : undefined;
  return constituent === undefined
    ? { fault: `unknown location "${String(value).slice(0, 64)}" for parameter "$${location.name}"` }
    : { constituent };
};

/** The text of a policy whose project has one database only. */
export const compositeRequired = "policy requires a composite database, but the project has none configured";

/**
 * Resolves where a text runs for one request.
 *
 * @param composite undefined for a project without a composite database.
 * @returns the route, or the texts of a 422. Never a physical name.
 */
export const resolveRoute = (
  targets: Targets,
  inputParams: JsonObject,
  composite: Composite | undefined,
):
  | { readonly ok: true; readonly route: Route }
  | { readonly ok: false; readonly faults: readonly string[] } => {
  const locations = targets.flatMap((target) => target ?? []);
  const empty = locations.flatMap(({ kind, name }) => {
    if (kind === "graph") return [];
    const value = member(inputParams, name);
    return typeof value === "string" && value !== ""
      ? []
      : [`location parameter "$${name}" must be a non-empty string`];
  });
  if (empty.length > 0) return { ok: false, faults: empty };
  if (composite === undefined) {
    return locations.length === 0
      ? { ok: true, route: { constituent: undefined, graphs: {} } }
      : { ok: false, faults: [compositeRequired] };
  }
  const faults: string[] = [];
  const graphs = Object.create(null) as Record<string, string>;
  const constituents = new Set<string | undefined>();
  for (const target of targets) {
    if (target === undefined) {
      constituents.add(undefined);
      continue;
    }
    const found = graphOf(target, composite, inputParams);
    if ("fault" in found) {
      faults.push(found.fault);
      continue;
    }
    constituents.add(found.constituent);
    if (target.kind === "parameter") graphs[target.name] = `${composite.database}.${found.constituent}`;
  }
  if (faults.length > 0) return { ok: false, faults };
  const [only] = constituents;
  return { ok: true, route: { constituent: constituents.size === 1 ? only : undefined, graphs } };
};
