import type { IncomingMessage } from "node:http";
import { forwardedHops, type Hops, xForwardedForHops } from "./forwarded-hops.ts";
import type { IsTrusted } from "./trusted-proxies.ts";

/** The address of the client that sent a request; undefined once its connection has ended. */
export type ClientAddressOf = (request: Pick<IncomingMessage, "headers" | "socket">) => string | undefined;

/** The right-most address that is not a trusted proxy's; a hop that hides its address ends the search at the proxy that told so. */
const rightMostUntrusted = (peer: string, hops: Hops, isTrusted: IsTrusted): string => {
  let known = peer;
  for (const hop of hops.toReversed()) {
    if (!isTrusted(known) || hop === undefined) return known;
    known = hop;
  }
  return known;
};

/**
 * Whom limits count for, and whom records name. Headers count only where the connection comes from a trusted proxy, and of
 * them what trusted proxies added: everything to the left may be invented (docs/operations.md#behind-a-proxy).
 *
 * A proxy maintains one of the two headers and may hand on the other one as its client sent it. Where they disagree neither is
 * believed, and the proxy counts as the client.
 */
export const clientAddressBy =
  (isTrusted: IsTrusted): ClientAddressOf =>
  ({ headers, socket }) => {
    const peer = socket.remoteAddress;
    if (peer === undefined || !isTrusted(peer)) return peer;
    const found = [xForwardedForHops(headers), forwardedHops(headers)]
      .filter((hops) => hops.length > 0)
      .map((hops) => rightMostUntrusted(peer, hops, isTrusted));
    const [first = peer, second = first] = found;
    return first === second ? first : peer;
  };
