import type { Graph } from "@ikg/graph";
import type { ProjectKey } from "@ikg/physical";
import type { KnowledgeQuery } from "../../src/query/index.ts";
import { compileSpec, readFrom } from "./check-query.ts";
import type { Kind } from "./fuzz.ts";
import { queryGroup, type QueryGroup, smallGroup } from "./generate/cases.ts";
import type { Draw } from "./generate/draw.ts";
import { filter } from "./generate/filters.ts";
import { emptyScope } from "./generate/scope.ts";
import type { ClauseSpec, FilterSpec, InputsSpec } from "./model.ts";
import type { QuerySpec } from "./policy.ts";
import { queryCases } from "./query-cases.ts";
import { renamed } from "./rename.ts";
import { failure, type Verdict } from "./verdict.ts";

/** Reading queries without SKIP and LIMIT, each with one filter more. */
export interface LawGroup extends QueryGroup {
  readonly more: readonly FilterSpec[];
}

/** Does a clause hold a SKIP or LIMIT? Laws are about policies without. */
export const cuts = (clause: ClauseSpec): boolean =>
  clause.kind === "with" && (clause.skip !== undefined || clause.limit !== undefined);

const make = (draw: Draw): LawGroup => {
  const group = queryGroup(draw, smallGroup);
  const queries = group.queries.filter(({ clauses }) => !clauses.some(cuts));
  return { ...group, queries, more: queries.map(() => filter({ draw, request: false }, emptyScope)) };
};

const differs = (what: string): Verdict => ({ kind: "differs", what });
const bag = (rows: readonly string[]): string => rows.toSorted().join("\n");

/** `less` is what is left of `all`. */
const isPart = (less: readonly string[], all: readonly string[]): boolean => {
  const left = [...all];
  return less.every((row) => {
    const at = left.indexOf(row);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
};

type Read = (
  spec: QuerySpec,
  query: KnowledgeQuery,
  page?: { skip: number; take: number },
) => Promise<readonly string[]>;

const joinedPages = async (
  read: Read,
  spec: QuerySpec,
  query: KnowledgeQuery,
  whole: readonly string[],
): Promise<boolean> => {
  const size = Math.max(1, Math.ceil(whole.length / 4));
  const pages: string[] = [];
  for (let skip = 0; skip <= whole.length; skip += size)
    pages.push(...(await read(spec, query, { skip, take: size })));
  return pages.join("\n") === whole.join("\n");
};

const checkLaws = async (
  graph: Graph,
  pk: ProjectKey,
  given: InputsSpec,
  spec: QuerySpec,
  more: FilterSpec,
): Promise<Verdict> => {
  const read: Read = (querySpec, query, page) => readFrom(graph, pk, querySpec, query, given, page);
  const other = renamed({ ...spec, subjectType: spec.subjectType });
  const narrower = { ...spec, filters: [more, ...spec.filters] };
  const [base, again, narrowed] = [spec, other, narrower].map(compileSpec);
  for (const each of [base, again, narrowed]) if (each !== undefined && "kind" in each) return each;
  if (base === undefined || again === undefined || narrowed === undefined)
    throw new Error("three were compiled");
  if ("kind" in base || "kind" in again || "kind" in narrowed)
    throw new Error("a refusal was answered above");
  const whole = await read(spec, base);
  if (!(await joinedPages(read, spec, base, whole))) return differs("joined pages are not one big page");
  if (bag(await read(other, again)) !== bag(whole)) return differs("renamed aliases change the rows");
  if (!isPart(await read(narrower, narrowed), whole)) return differs("one filter more adds a row");
  return { kind: "agrees", interesting: whole.length > 0 };
};

/** Laws of reading queries, without an oracle. */
export const queryLaws: Kind<LawGroup> = {
  make,
  check: async (graph, pk, group) => {
    const verdicts: Verdict[] = [];
    for (const [index, spec] of group.queries.entries()) {
      const [given] = group.inputs;
      const more = group.more[index];
      if (given === undefined || more === undefined) throw new Error("a query without inputs or filter");
      verdicts.push(await checkLaws(graph, pk, given, spec, more).catch(failure));
    }
    return verdicts;
  },
  alone: (group, index) => ({ ...queryCases.alone(group, index), more: group.more.slice(index, index + 1) }),
  tell: (group) => ({ ...(queryCases.tell(group) as object), more: group.more }),
};
