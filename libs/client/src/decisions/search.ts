import { callDataPlane, type DataPlane } from "../data-plane.ts";
import type { ActionResults, SearchResults } from "../contract/wire.ts";
import { IkgUnreachable } from "../errors/ikg-unreachable.ts";
import { Pages } from "../pages.ts";
import type { CallOptions } from "../transport/options.ts";
import { requireList } from "../transport/require-list.ts";
import { contextOf, type InputOptions } from "./question.ts";

export interface SearchOptions extends InputOptions, CallOptions {
  /** Results of one request at most, 1,000 by default. */
  readonly pageSize?: number | undefined;
  /** Of a search for actions: the outcome of every policy, on each page. */
  readonly explain?: boolean | undefined;
}

/** The type and id of a node that a search found. */
export interface EntityRef {
  readonly type: string;
  readonly id: string;
}

export interface SearchPage<Item> {
  readonly items: readonly Item[];
  /** False: the time was up before the page was full; the next page continues. */
  readonly complete: boolean;
  /** With `explain`, of a search for actions. */
  readonly explanation?: NonNullable<ActionResults["context"]>["explanation"] | undefined;
}

type Body = SearchResults | ActionResults;

const explanationOf = ({ context }: Body): SearchPage<unknown>["explanation"] =>
  context !== undefined && "explanation" in context ? context.explanation : undefined;

const isComplete = ({ context }: Body): boolean =>
  context === undefined || !("complete" in context) || context.complete;

/** A search that pages by itself; every page is authorized again. */
export const search = <Item>(
  plane: DataPlane,
  kind: "subject" | "resource" | "action",
  question: object,
  options: SearchOptions = {},
): Pages<Item, SearchPage<Item>> =>
  new Pages(async function* pages() {
    const { pageSize: limit, explain, signal, timeoutMs } = options;
    let token: string | undefined;
    do {
      const page = { ...(limit !== undefined && { limit }), ...(token !== undefined && { token }) };
      const json = { ...question, ...contextOf(options), ...(Object.keys(page).length > 0 && { page }) };
      const path = `/access/v1/search/${kind}`;
      const call = { path, json, idempotent: true, explain, signal, timeoutMs };
      const { body } = await callDataPlane<Body>(plane, call);
      const results: unknown = requireList<unknown>(body.results, "results");
      const items = results as readonly Item[]; // of the kind that was asked for
      const next = body.page?.next_token;
      if (next !== undefined && next !== "" && next === token)
        throw new IkgUnreachable(
          "invalid_response",
          "the next page token of the search repeats the current one",
        );
      yield { items, complete: isComplete(body), explanation: explanationOf(body) };
      token = next;
    } while (token !== undefined && token !== "");
  });
