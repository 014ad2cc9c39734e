import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/** Addresses as proxies report them, the client's own claim first, the last proxy's word last; undefined: hidden. */
export type Hops = readonly (string | undefined)[];

/** An address with or without port and brackets; undefined for a name that hides it (RFC 7239, section 6), or for none. */
const addressIn = (text: string): string | undefined => {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const address = bracketed ?? (isIP(text) === 0 ? text.replace(/:\d+$/, "") : text);
  return isIP(address) === 0 ? undefined : address;
};

/** Splits at a separator, except in quotes. */
const split = (text: string, separator: "," | ";"): readonly string[] =>
  text.match(separator === "," ? /(?:"(?:[^"\\]|\\.)*"?|[^,"])+/g : /(?:"(?:[^"\\]|\\.)*"?|[^;"])+/g) ?? [];

const unquoted = (text: string): string =>
  /^".*"$/.test(text) ? text.slice(1, -1).replaceAll(/\\(.)/g, "$1") : text;

/** The `for` of one element of `Forwarded`. */
const forOf = (element: string): string | undefined => {
  for (const pair of split(element, ";")) {
    const [, name = "", value = ""] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    if (name.toLowerCase() === "for") return addressIn(unquoted(value));
  }
  return undefined;
};

const textOf = (header: string | string[] | undefined): string => [header ?? []].flat().join(",");

/** The hops of `Forwarded` (RFC 7239). */
export const forwardedHops = (headers: IncomingHttpHeaders): Hops =>
  split(textOf(headers["forwarded"]), ",").map(forOf);

/** The hops of `X-Forwarded-For`. */
export const xForwardedForHops = (headers: IncomingHttpHeaders): Hops => {
  const text = textOf(headers["x-forwarded-for"]);
  return text.trim() === "" ? [] : text.split(",").map((each) => addressIn(each.trim()));
};
