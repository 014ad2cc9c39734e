import type { GraphNode, GraphRelationship, ResultRow } from "@ikg/client";
import { isObject, type Members, typeOf } from "../../../text/json.ts";
import { peopleOf, person } from "../../../snippets/test-people.ts";

/** What a test of a query is made of. */
export interface QueryTestParts {
  readonly query: { readonly name: string; readonly text: string };
  readonly policy: { readonly name: string; readonly text: string };
  readonly params: Members;
  /** Of the token; undefined where none was sent, or its claims are not known. */
  readonly claims: Members | undefined;
  /** Milliseconds since 1970: what times of the token are measured against. */
  readonly at: number;
  readonly nodes: readonly GraphNode[];
  readonly relationships: readonly GraphRelationship[];
  readonly rows: readonly ResultRow[];
}

/** Ids and times that the platform gives differ in the project of a test, and so do trust scores. */
const isGiven = (path: string): boolean =>
  /\.(id|create_time|update_time)$/.test(path) || /\.trust_score\./.test(path);

/** A whole node or relationship has ids of its project in it. */
const isWhole = (value: unknown): boolean =>
  JSON.stringify(value ?? null).includes('"ElementId"') ||
  JSON.stringify(value ?? null).includes('"StartId"');

type Cells = readonly (readonly [path: string, value: unknown])[];

const cellsOf = ({ nodes, relationships, aggregate_values: aggregates }: ResultRow): Cells =>
  Object.entries({ ...nodes, ...relationships, ...aggregates });

const isStable = ([path, value]: Cells[number]): boolean => !isGiven(path) && !isWhole(value);

/** The rows as a test expects them; their number alone where nothing else is the same in every project. */
const expectationOf = (rows: readonly ResultRow[], isOfApplication: boolean): object => {
  const all = rows.map(cellsOf);
  const stable = all.map((cells) =>
    cells.filter((cell) => isStable(cell) && !(isOfApplication && cell[0].startsWith("subject."))),
  );
  if (stable.some((cells) => cells.length === 0)) return { count: rows.length };
  const isCut = stable.some((cells, index) => cells.length < (all[index]?.length ?? 0));
  return {
    rows: stable.map((cells) => Object.fromEntries(cells)),
    order: "any",
    ...(isCut && { columns: "listed" }),
  };
};

/** A file NAME.ikg.json for `ikg test` (docs/policy-tests.md): the graph, the policy, the query, and the rows as they are now. */
export const queryTestOf = (parts: QueryTestParts): string => {
  const { query, policy, params, claims, at, nodes, relationships, rows } = parts;
  const content: unknown = JSON.parse(policy.text);
  const subjectType = typeOf(isObject(content) ? content["subject"] : undefined);
  const hasParams = Object.keys(params).length > 0;
  const file = {
    name: `query: ${query.name}`,
    graph: { nodes, ...(relationships.length > 0 && { relationships }) },
    policies: { [policy.name]: { policy: content } },
    queries: { [query.name]: { policy: policy.name, query: JSON.parse(query.text) as unknown } },
    ...peopleOf(claims, at),
    tests: [
      {
        query: query.name,
        ...(claims !== undefined && { as: person }),
        ...(hasParams && { params }),
        expect: expectationOf(rows, subjectType === "_Application"),
      },
    ],
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
};
