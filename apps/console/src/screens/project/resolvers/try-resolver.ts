import type { KnowledgeQueryRecord, QueryPage } from "@ikg/client";
import { isObject, objectOf } from "../../../text/json.ts";
import type { ResolverReason } from "../../../text/resolver-reasons.ts";

const writing = ["upsert_nodes", "upsert_relationships", "delete_nodes", "delete_relationships"];

/** Whether a query changes the graph when it is run; one whose text cannot be read may. */
export const isWriting = ({ query }: Pick<KnowledgeQueryRecord, "query">): boolean => {
  const text = objectOf(query);
  return text === undefined || writing.some((member) => member in text);
};

/** What a run of a query says about a resolver. */
export interface TryResult {
  readonly rows: number;
  /** Of this resolver: how often each reason occurred, and at which path. */
  readonly failures: readonly {
    readonly reason: ResolverReason;
    readonly path: string;
    readonly count: number;
  }[];
  /** Values of the first rows, by path. */
  readonly values: readonly { readonly path: string; readonly value: unknown }[];
}

const shownRows = 5;

/** @param names by which references can name the resolver: its name and its gid */
export const tryResult = (page: Pick<QueryPage, "data" | "errors">, names: readonly string[]): TryResult => {
  const counts = new Map<string, { reason: ResolverReason; path: string; count: number }>();
  for (const { resolver, reason, path } of page.errors ?? []) {
    if (!names.includes(resolver)) continue;
    const key = `${reason} ${path}`;
    const before = counts.get(key);
    counts.set(key, { reason, path, count: (before?.count ?? 0) + 1 });
  }
  return {
    rows: page.data.length,
    failures: [...counts.values()],
    values: page.data
      .slice(0, shownRows)
      .flatMap(({ nodes }) => Object.entries(nodes).map(([path, value]) => ({ path, value })))
      .filter(({ value }) => !isObject(value)),
  };
};
