import type { ExternalDataResolverRecord } from "@ikg/client";

/** A value that a resolver puts into its calls. */
export interface Placeholder {
  readonly name: string;
  /** Used where there is no value; undefined: without one the call is not made. */
  readonly fallback: string | undefined;
}

const pattern = /\{\$([\w.]+)(?:\s*\|\|([^}]*))?\}/g;

/** A whole string of a payload may be `$name`. */
const wholeString = /"\$([\w.]+)"/g;

type Sent = Pick<ExternalDataResolverRecord, "url" | "headers" | "request_payload">;

/** Values that the calls of a resolver need, each once, in the order in which they are named. */
export const placeholdersOf = ({
  url,
  headers = {},
  request_payload: payload = "",
}: Sent): readonly Placeholder[] => {
  const texts = [url, ...Object.values(headers).flat(), payload];
  const found = new Map<string, Placeholder>();
  for (const text of texts)
    for (const [, name = "", fallback] of text.matchAll(pattern))
      found.set(name, found.get(name) ?? { name, fallback: fallback?.trim() });
  for (const [, name = ""] of payload.matchAll(wholeString))
    found.set(name, found.get(name) ?? { name, fallback: undefined });
  return [...found.values()];
};

const ofNode = /^(?:node\.|_externalId$|_nodeType$|_propertyType$)/;

/** Where a value comes from. */
export const sourceOf = (name: string): string => {
  if (name === "_appId") return "the application that calls";
  return ofNode.test(name) ? "the node that holds the reference" : "the parameters of the query";
};
