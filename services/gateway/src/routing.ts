import type { Method, Operation } from "@ikg/contracts";

/** What a request line means: an operation, a path without that method, or nothing. */
export type Match =
  | { readonly kind: "operation"; readonly operation: Operation }
  | { readonly kind: "method_not_allowed"; readonly allow: string }
  | { readonly kind: "not_found" };

interface Node {
  readonly fixed: Map<string, Node>;
  any: Node | undefined;
  readonly methods: Map<Method, Operation>;
}

const newNode = (): Node => ({ fixed: new Map(), any: undefined, methods: new Map() });

const child = (node: Node, segment: string): Node => {
  if (segment.startsWith(":")) return (node.any ??= newNode());
  const known = node.fixed.get(segment);
  if (known !== undefined) return known;
  const made = newNode();
  node.fixed.set(segment, made);
  return made;
};

/** Every node that the segments lead to, the one with the most segments by name first. */
const find = (node: Node, segments: readonly string[], at: number): readonly Node[] => {
  const segment = segments[at];
  if (segment === undefined) return node.methods.size > 0 ? [node] : [];
  const fixed = node.fixed.get(segment);
  return [
    ...(fixed === undefined ? [] : find(fixed, segments, at + 1)),
    ...(node.any !== undefined && segment !== "" ? find(node.any, segments, at + 1) : []),
  ];
};

const methods: Readonly<Record<string, Method>> = {
  GET: "get",
  HEAD: "get",
  POST: "post",
  PUT: "put",
  DELETE: "delete",
};

const allowed = (node: Node): string =>
  [...node.methods.keys()]
    .map((method) => (method === "get" ? "GET, HEAD" : method.toUpperCase()))
    .join(", ");

const notFound: Match = { kind: "not_found" };

/**
 * Finds operations by method and path, before any credential is looked at. Segments are
 * compared as they were sent; a trailing slash makes no difference.
 */
export const routesOf = (operations: readonly Operation[]): ((method: string, url: string) => Match) => {
  const root = newNode();
  for (const operation of operations) {
    let node = root;
    for (const segment of operation.path.slice(1).split("/")) node = child(node, segment);
    node.methods.set(operation.method, operation);
  }
  return (method, url) => {
    // A fragment is no part of a request; a service behind would read its path another way.
    if (!url.startsWith("/") || url.includes("#")) return notFound;
    const question = url.indexOf("?");
    const path = question < 0 ? url : url.slice(0, question);
    const found = find(root, path.slice(1, path.endsWith("/") ? -1 : undefined).split("/"), 0);
    const [first] = found;
    if (first === undefined) return notFound;
    const known = methods[method];
    // A record may be called like an endpoint beside it, which knows another method.
    const operation = known && found.find((node) => node.methods.has(known))?.methods.get(known);
    return operation === undefined
      ? { kind: "method_not_allowed", allow: allowed(first) }
      : { kind: "operation", operation };
  };
};
