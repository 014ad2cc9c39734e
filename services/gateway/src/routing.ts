import type { Method, Operation } from "@ikg/contracts";
import newRouter from "find-my-way";

/** What a request line means: an operation, a path without that method, or nothing. */
export type Match =
  | { readonly kind: "operation"; readonly operation: Operation }
  | { readonly kind: "method_not_allowed"; readonly allow: string }
  | { readonly kind: "not_found" };

type HttpMethod = "GET" | "HEAD" | "POST" | "PUT" | "DELETE";

const httpMethods: Readonly<Record<Method, readonly HttpMethod[]>> = {
  get: ["GET", "HEAD"],
  post: ["POST"],
  put: ["PUT"],
  delete: ["DELETE"],
};

/** In the order in which `Allow` names them. */
const routed: readonly HttpMethod[] = ["POST", "GET", "HEAD", "PUT", "DELETE"];

const isRouted = (method: string): method is HttpMethod => routed.some((each) => each === method);

/** The router would decode segments, which are compared as they were sent; no path of an operation has this character. */
const withoutPercent = (path: string): string => (path.includes("%") ? path.replaceAll("%", "~") : path);

/** @returns undefined for what no operation's path can be; a service would read a fragment in another way. */
const pathOf = (url: string): string | undefined => {
  if (!url.startsWith("/") || url.includes("#")) return undefined;
  const query = url.indexOf("?");
  const path = query < 0 ? url : url.slice(0, query);
  return path.includes("//") ? undefined : withoutPercent(path);
};

/** Characters of a path parameter: an external id has 256 code points, and percent-encoding makes twelve characters of one. */
const longestSegment = 256 * 12;

const notFound: Match = { kind: "not_found" };

/**
 * Finds operations by method and path, before any credential is looked at. Fixed segments go before parameters; a trailing
 * slash makes no difference.
 */
export const routesOf = (operations: readonly Operation[]): ((method: string, url: string) => Match) => {
  const router = newRouter({ ignoreTrailingSlash: true, maxParamLength: longestSegment });
  for (const operation of operations)
    router.on([...httpMethods[operation.method]], operation.path, () => undefined, operation);
  const find = (method: HttpMethod, path: string): Operation | undefined =>
    router.find(method, path)?.store as Operation | undefined; // as it was put there
  return (method, url) => {
    const path = pathOf(url);
    if (path === undefined) return notFound;
    const operation = isRouted(method) ? find(method, path) : undefined;
    if (operation !== undefined) return { kind: "operation", operation };
    const allowed = routed.filter((each) => find(each, path) !== undefined);
    return allowed.length === 0 ? notFound : { kind: "method_not_allowed", allow: allowed.join(", ") };
  };
};
