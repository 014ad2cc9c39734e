import { type Gid, gidKind, isGid } from "@ikg/contracts";

/** The parsed target of a request. */
export interface RequestTarget {
  readonly kind: "endpoint" | "metadata";
  readonly project: Gid;
  /** The gid as the client spelled it: raw or percent-encoded. */
  readonly spelled: string;
}

/** The endpoint of a project, and the metadata document below it. */
const endpoint = /^\/mcp\/v1\/([^/?#]+)(\/\.well-known\/oauth-protected-resource)?\/?(?:\?[^#]*)?$/;
export const wellKnownName = "/.well-known/oauth-protected-resource";
/** The same document where RFC 9728, section 3.1, puts it: the well-known name between host and path. */
const wellKnown = /^\/\.well-known\/oauth-protected-resource\/mcp\/v1\/([^/?#]+)\/?(?:\?[^#]*)?$/;

const decode = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};

/** A proxy removes the path of the public address from the beginning of a URL, not from behind the well-known name. */
const withoutBase = (url: string, basePath: string): string =>
  url.startsWith(`${wellKnownName}${basePath}/`)
    ? wellKnownName + url.slice(wellKnownName.length + basePath.length)
    : url;

/** The path of a public address, without a slash at its end. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, "");

/**
 * @param basePath as `basePathOf` returns it.
 * @returns undefined for every path that no project can have.
 */
export const targetOf = (url: string, basePath: string): RequestTarget | undefined => {
  const [, spelled = wellKnown.exec(withoutBase(url, basePath))?.[1], below] = endpoint.exec(url) ?? [];
  const project = spelled === undefined ? undefined : decode(spelled);
  if (spelled === undefined || project === undefined || !isGid(project)) return undefined;
  if (gidKind(project) !== "project") return undefined;
  const isEndpoint = url.startsWith("/mcp/") && below === undefined;
  return { kind: isEndpoint ? "endpoint" : "metadata", project, spelled };
};
