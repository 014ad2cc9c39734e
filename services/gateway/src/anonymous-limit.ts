import type { IncomingMessage } from "node:http";
import { clientNetwork } from "@ikg/service";
import type { ClientAddressOf } from "./client-address/client-address.ts";
import { tooManyRequests } from "./too-many-requests.ts";

/**
 * Counts a request of an unauthenticated caller: an unverified header proves nothing.
 *
 * @param credential under what a credential that was not accepted yet is remembered; undefined for a request without one.
 * @param wasRefused the credential was refused recently.
 * @throws Problem `too_many_requests` (429) when its address has sent too many in this second.
 */
export type AnonymousLimit = (
  request: Pick<IncomingMessage, "headers" | "socket">,
  credential?: string,
  wasRefused?: boolean,
) => void;

/** What one credential may have of the requests of its address, and all that were refused recently together. */
const credentialShare = 0.25;

/** Counts of the current second: at most as many as requests came in it. */
class SecondCounts {
  readonly #counts = new Map<string, number>();
  #second = 0;

  begin(second: number): void {
    if (second !== this.#second) this.#counts.clear();
    this.#second = second;
  }

  has(key: string, limit: number): boolean {
    return (this.#counts.get(key) ?? 0) < limit;
  }

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }
}

/**
 * Limits by address and credential: requests with a credential that was not accepted yet are counted apart from those
 * without one, and one credential has a quarter of them. Those that were refused recently are counted apart again. So neither a flood
 * without credentials nor a client that repeats wrong ones keeps the first request of a right one behind the same address out; one
 * that invents a credential for each request does, since nothing distinguishes them before they are verified.
 *
 * @param perSecond requests of one address without a credential, and as many with one; 0 is no limit.
 * @param onRefused called for each refusal, with the limit's name.
 */
export const openAnonymousLimit = (
  perSecond: number,
  addressOf: ClientAddressOf,
  onRefused: (limit: string) => void = () => undefined,
  now: () => number = Date.now,
): AnonymousLimit => {
  const counts = new SecondCounts();
  const ofOne = Math.ceil(perSecond * credentialShare);
  return (request, credential, wasRefused = false) => {
    if (perSecond === 0) return;
    counts.begin(Math.floor(now() / 1_000));
    const address = clientNetwork(addressOf(request));
    const kind = credential === undefined ? "none" : wasRefused ? "refused" : "new";
    const all = `${address} ${kind}`;
    const own = `${address} ${credential}`;
    const most = wasRefused ? ofOne : perSecond;
    if (!counts.has(all, most) || (credential !== undefined && !counts.has(own, ofOne))) {
      onRefused("anonymous requests");
      throw tooManyRequests(
        `anonymous requests of an address: at most ${perSecond} a second (RATE_LIMIT_ANONYMOUS_PER_SECOND)`,
        1,
      );
    }
    counts.add(all);
    if (credential !== undefined) counts.add(own);
  };
};
