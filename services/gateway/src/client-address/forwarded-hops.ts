import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/** What one proxy reports of who called it. */
export interface Hop {
  /** undefined: hidden. */
  readonly address: string | undefined;
  /** How it was called, where it says so. */
  readonly scheme: Scheme | undefined;
  readonly host: string | undefined;
}

export type Scheme = "http" | "https";

/** What proxies report: the client's own claim first, the report of the last proxy last. */
export type Hops = readonly Hop[];

/** An address with or without port and brackets; undefined for a name that hides it (RFC 7239, section 6), or for none. */
const addressIn = (text: string): string | undefined => {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const address = bracketed ?? (isIP(text) === 0 ? text.replace(/:\d+$/, "") : text);
  return isIP(address) === 0 ? undefined : address;
};

const schemeIn = (text: string | undefined): Scheme | undefined => {
  const scheme = text?.toLowerCase();
  return scheme === "http" || scheme === "https" ? scheme : undefined;
};

const longestHost = 260;

/** A name or an address with or without port, as it stands in `Host`. */
const hostIn = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= longestHost && /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(text)
    ? text
    : undefined;

/** Splits at a separator, except in quotes. */
const split = (text: string, separator: "," | ";"): readonly string[] =>
  text.match(separator === "," ? /(?:"(?:[^"\\]|\\.)*"?|[^,"])+/g : /(?:"(?:[^"\\]|\\.)*"?|[^;"])+/g) ?? [];

const unquote = (text: string): string =>
  /^".*"$/.test(text) ? text.slice(1, -1).replaceAll(/\\(.)/g, "$1") : text;

/** One element of `Forwarded`; of a parameter that stands twice the first one counts. */
const hopOf = (element: string): Hop => {
  const parameters: Record<string, string> = {};
  for (const pair of split(element, ";")) {
    // Without a regular expression: one would look at a long run of blanks once for each of them.
    const equals = pair.indexOf("=");
    if (equals < 0) continue;
    const name = pair.slice(0, equals).trim().toLowerCase();
    parameters[name] ??= unquote(pair.slice(equals + 1).trim());
  }
  return {
    address: parameters["for"] === undefined ? undefined : addressIn(parameters["for"]),
    scheme: schemeIn(parameters["proto"]),
    host: hostIn(parameters["host"]),
  };
};

const textOf = (header: string | string[] | undefined): string => [header ?? []].flat().join(",");

const listOf = (header: string | string[] | undefined): readonly string[] => {
  const text = textOf(header);
  return text.trim() === "" ? [] : text.split(",").map((each) => each.trim());
};

/** The hops of `Forwarded` (RFC 7239). */
export const forwardedHops = (headers: IncomingHttpHeaders): Hops =>
  split(textOf(headers["forwarded"]), ",").map(hopOf);

/** How a request was addressed. */
export type Origin = Pick<Hop, "scheme" | "host">;

/** What a proxy reports in `X-Forwarded-Proto` and `X-Forwarded-Host` that reports no address. */
export const xForwardedOrigin = (headers: IncomingHttpHeaders): Origin => ({
  scheme: schemeIn(listOf(headers["x-forwarded-proto"]).at(-1)),
  host: hostIn(listOf(headers["x-forwarded-host"]).at(-1)),
});

/**
 * The hops of `X-Forwarded-For`, with `X-Forwarded-Proto` and `X-Forwarded-Host`. These belong to the hops one by one where
 * there are as many of them; otherwise the last one counts for all: what stands to its left may be the client's own.
 */
export const xForwardedHops = (headers: IncomingHttpHeaders): Hops => {
  const addresses = listOf(headers["x-forwarded-for"]);
  if (addresses.length === 0) return [];
  const schemes = listOf(headers["x-forwarded-proto"]);
  const hosts = listOf(headers["x-forwarded-host"]);
  const at = (list: readonly string[], hop: number): string | undefined =>
    list.length === addresses.length ? list[hop] : list.at(-1);
  return addresses.map((address, hop) => ({
    address: addressIn(address),
    scheme: schemeIn(at(schemes, hop)),
    host: hostIn(at(hosts, hop)),
  }));
};
