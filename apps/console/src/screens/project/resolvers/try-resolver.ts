import type { KnowledgeQueryRecord, QueryPage } from "@ikg/client";
import { isObject, objectOf } from "../../../parts/json.ts";

const writing = ["upsert_nodes", "upsert_relationships", "delete_nodes", "delete_relationships"];

/** Whether a query changes the graph when it is run; one whose text cannot be read may. */
export const isWriting = ({ query }: Pick<KnowledgeQueryRecord, "query">): boolean => {
  const text = objectOf(query);
  return text === undefined || writing.some((member) => member in text);
};

type Failure = NonNullable<QueryPage["errors"]>[number];

/** What a run of a query says about a resolver. */
export interface TryResult {
  readonly rows: number;
  /** Of this resolver: how often each reason occurred, and at which path. */
  readonly failures: readonly {
    readonly reason: Failure["reason"];
    readonly path: string;
    readonly count: number;
  }[];
  /** Values of the first rows, by path. */
  readonly values: readonly { readonly path: string; readonly value: unknown }[];
}

const shownRows = 5;

/** @param names by which references can name the resolver: its name and its gid */
export const tryResult = (page: Pick<QueryPage, "data" | "errors">, names: readonly string[]): TryResult => {
  const counts = new Map<string, { reason: Failure["reason"]; path: string; count: number }>();
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

/** What each reason means: docs/resolvers.md. */
export const reasonTexts: Readonly<Record<Failure["reason"], string>> = {
  resolver_not_found: "No resolver has this name, or its headers cannot be decrypted",
  missing_param: "A value that the call needs is missing, or not allowed in its place",
  blocked_address: "The deployment does not allow the address",
  upstream_timeout: "No response within the time limits",
  upstream_unreachable: "The connection failed or was interrupted",
  upstream_status: "The response was no success; redirects are not followed",
  content_type_mismatch: "The response is no JSON, or compressed",
  invalid_json: "The response is no valid JSON",
  response_too_large: "The response has more than 1 MiB",
  selector_no_match: "The response does not have the part that the selector names",
  circuit_open: "Too many calls failed; it is called again after half a minute",
  limit_exceeded: "Another limit was exceeded",
};
