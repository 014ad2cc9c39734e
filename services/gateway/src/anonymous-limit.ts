import type { IncomingMessage } from "node:http";
import { Problem } from "@ikg/contracts";
import { clientNetwork } from "@ikg/service";
import type { ClientAddressOf } from "./client-address/client-address.ts";

/**
 * Counts a request of an unauthenticated caller: an unverified header proves nothing.
 *
 * @throws Problem `too_many_requests` (429) when its address has sent too many in this second.
 */
export type AnonymousLimit = (request: Pick<IncomingMessage, "headers" | "socket">) => void;

/**
 * @param perSecond requests of one address; 0 is no limit.
 * @param onRefused hears of each refusal, by the limit's name.
 */
export const openAnonymousLimit = (
  perSecond: number,
  addressOf: ClientAddressOf,
  onRefused: (limit: string) => void = () => undefined,
  now: () => number = Date.now,
): AnonymousLimit => {
  /** Of the current second: at most as many as requests came in it. */
  const counts = new Map<string, number>();
  let second = 0;
  return (request) => {
    if (perSecond === 0) return;
    const current = Math.floor(now() / 1_000);
    if (current !== second) counts.clear();
    second = current;
    const address = clientNetwork(addressOf(request));
    const count = (counts.get(address) ?? 0) + 1;
    if (count > perSecond) {
      onRefused("anonymous requests");
      throw new Problem("too_many_requests", {
        errors: [
          `anonymous requests of an address: at most ${perSecond} a second (RATE_LIMIT_ANONYMOUS_PER_SECOND)`,
        ],
        headers: { "Retry-After": "1" },
      });
    }
    counts.set(address, count);
  };
};
