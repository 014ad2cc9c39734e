import { Problem } from "@ikg/contracts";
import { requestContextOf, requestIdHeader } from "@ikg/service";
import type { Request, RequestHandler, Response } from "express";
import type { AnonymousLimit } from "../anonymous-limit.ts";
import type { ConsoleFile } from "./read-files.ts";

const root = "/console";

/**
 * What the page may do: load the files next to it, and call this address; with an identity provider also the addresses at which
 * people sign in. No script reaches the document as text (Trusted Types), and no page may frame this one.
 */
const contentSecurityPolicy = (connections: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src ${["'self'", ...connections].join(" ")}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");

const accepts = (header: string | undefined): boolean =>
  (header ?? "").split(",").some((part) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(part));

/** RFC 9110, section 13.1.2: weak comparison. */
const isUnchanged = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === "*" || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag));

const respondFile = (request: Request, response: Response, file: ConsoleFile, policy: string): void => {
  const compressed = accepts(request.headers["accept-encoding"]) ? file.compressed : undefined;
  const etag = compressed === undefined ? file.etag : file.compressedEtag;
  const headers = {
    ETag: etag,
    Vary: "Accept-Encoding",
    "Cache-Control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    "Content-Security-Policy": policy,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    [requestIdHeader]: requestContextOf(response).requestId,
  };
  if (isUnchanged(request.headers["if-none-match"], etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const content = compressed ?? file.content;
  response
    .writeHead(200, {
      ...headers,
      "Content-Type": file.type,
      "Content-Length": content.length,
      ...(compressed === undefined ? {} : { "Content-Encoding": "gzip" }),
    })
    .end(request.method === "HEAD" ? undefined : content);
};

/**
 * GET /console and everything below it: static files, which hold nothing of any tenant. What the page shows it reads from the public
 * API, with the credential of whoever signed in.
 *
 * @param connections origins besides this one that the page may call: those of the identity provider.
 */
export const consolePages = (
  files: ReadonlyMap<string, ConsoleFile>,
  connections: readonly string[],
  limit: AnonymousLimit,
): RequestHandler => {
  const policy = contentSecurityPolicy(connections);
  return (request, response, next) => {
    const [path = ""] = request.url.split("?", 1);
    if (path !== root && !path.startsWith(`${root}/`)) {
      next();
      return;
    }
    const context = requestContextOf(response);
    context.operation = "console";
    context.route = root;
    limit(request);
    if (request.method !== "GET" && request.method !== "HEAD")
      throw new Problem("method_not_allowed", { headers: { Allow: "GET, HEAD" } });
    if (path === root) {
      // Relative: the gateway may stand below a path of a proxy.
      response.writeHead(308, { Location: "console/", [requestIdHeader]: context.requestId }).end();
      return;
    }
    // Screens have their addresses in the fragment, which no server sees.
    const file = files.get(path.slice(root.length + 1) || "index.html");
    if (file === undefined) throw new Problem("not_found");
    respondFile(request, response, file, policy);
  };
};
