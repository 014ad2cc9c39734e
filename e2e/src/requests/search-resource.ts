import type { SearchResults } from "@ikg/contracts";
import { type Credentials, withKey } from "./data-plane.ts";
import { must } from "./must.ts";
import { retryUnavailable } from "./retry-unavailable.ts";
import type { Answer } from "./send.ts";

/** Asks POST /access/v1/search/resource. */
export const trySearchResource = (question: unknown, by: Credentials): Promise<Answer> =>
  withKey("/access/v1/search/resource", by, { json: question });

/** One page of a search that must be answered. */
export const searchResource = async (question: unknown, by: Credentials): Promise<SearchResults> =>
  must<SearchResults>(await retryUnavailable(() => trySearchResource(question, by)), 200);
