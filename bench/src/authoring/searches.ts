/** What the same takes without a simulation: searches for every subject, before and after. */
import type { Client } from "../access/asks.ts";
import { externalId } from "../drive/graph.ts";
import { seeded } from "../random.ts";
import { plan } from "./plan.ts";

export interface SearchedType {
  readonly subject: string;
  readonly action: string;
  readonly resource: string;
  /** Subjects of the type. */
  readonly count: number;
}

const page = 1_000;

/** All pages of one search. */
const search = async (client: Client, { subject, action, resource }: SearchedType, n: number) => {
  let token: string | undefined;
  do {
    const body = {
      subject: { type: subject, id: externalId(subject, n) },
      action: { name: action },
      resource: { type: resource },
      page: { limit: page, ...(token !== undefined && { token }) },
    };
    // Results with a page, by the status.
    const answer = (await client.post("/access/v1/search/resource", JSON.stringify(body))) as {
      readonly page?: { readonly next_token?: string };
    };
    token = answer.page?.next_token || undefined;
  } while (token !== undefined);
};

/**
 * Times the searches of some subjects.
 *
 * @returns milliseconds that those of all subjects would take, before and after a change
 */
export const allSearchesMs = async (client: Client, type: SearchedType, round: number): Promise<number> => {
  const random = seeded(plan.seed + round);
  const subjects = Array.from({ length: plan.searchedSubjects }, () => random.integer(type.count)).values();
  const started = performance.now();
  const searcher = async (): Promise<void> => {
    for (const n of subjects) await search(client, type, n);
  };
  await Promise.all(Array.from({ length: plan.searchers }, searcher));
  return ((performance.now() - started) / plan.searchedSubjects) * type.count * 2;
};
