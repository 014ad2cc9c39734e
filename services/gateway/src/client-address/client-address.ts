import type { IncomingMessage } from "node:http";
import {
  forwardedHops,
  type Hop,
  type Hops,
  type Origin,
  xForwardedHops,
  xForwardedOrigin,
} from "./forwarded-hops.ts";
import type { IsTrusted } from "./trusted-proxies.ts";

type Received = Pick<IncomingMessage, "headers" | "socket">;

/** Who sent a request, and how it was addressed, where trusted proxies report that. */
export interface Client extends Origin {
  /** undefined once its connection has ended. */
  readonly address: string | undefined;
}

export type ClientOf = (request: Received) => Client;

/** The address of the client that sent a request; undefined once its connection has ended. */
export type ClientAddressOf = (request: Received) => string | undefined;

/**
 * The report of the outermost trusted proxy, with the right-most address that is not a trusted proxy's; a hop that hides its
 * address ends the search at the proxy that sent it.
 */
const outermostHop = (peer: string, hops: Hops, isTrusted: IsTrusted): Hop & { readonly address: string } => {
  let outermost: Hop & { readonly address: string } = { address: peer, scheme: undefined, host: undefined };
  for (const { address, scheme, host } of hops.toReversed()) {
    if (!isTrusted(outermost.address)) return outermost;
    outermost = { address: address ?? outermost.address, scheme, host };
    if (address === undefined) return outermost;
  }
  return outermost;
};

/** undefined where two headers disagree. */
const commonValue = <T>(first: T | undefined, second: T | undefined): T | undefined =>
  first === undefined || second === undefined || first === second ? (first ?? second) : undefined;

/**
 * Whom limits count for, whom records and logs name, and the scheme and host that the client used. Headers count only where
 * the connection comes from a trusted proxy, and of them what trusted proxies added: everything to the left may be invented
 * (docs/operations.md#behind-a-proxy).
 *
 * A proxy maintains one of the two families of headers and may hand on the other one as its client sent it. Where they
 * disagree neither is used, and the proxy counts as the client.
 */
export const clientBy =
  (isTrusted: IsTrusted): ClientOf =>
  ({ headers, socket }) => {
    const peer = socket.remoteAddress;
    if (peer === undefined || !isTrusted(peer)) return { address: peer, scheme: undefined, host: undefined };
    const [first, second] = [xForwardedHops(headers), forwardedHops(headers)]
      .filter((hops) => hops.length > 0)
      .map((hops) => outermostHop(peer, hops, isTrusted));
    const { address, ...origin } = first ?? { address: peer, ...xForwardedOrigin(headers) };
    if (second === undefined) return { address, ...origin };
    return {
      address: commonValue(address, second.address) ?? peer,
      scheme: commonValue(origin.scheme, second.scheme),
      host: commonValue(origin.host, second.host),
    };
  };

export const addressBy =
  (clientOf: ClientOf): ClientAddressOf =>
  (request) =>
    clientOf(request).address;
