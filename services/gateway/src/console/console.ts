import { Problem } from "@ikg/contracts";
import { requestContextOf, requestIdHeader } from "@ikg/service";
import type { RequestHandler } from "express";
import type { AnonymousLimit } from "../anonymous-limit.ts";
import { contentSecurityPolicy } from "../static-files/content-security-policy.ts";
import { respondFile } from "../static-files/respond-file.ts";
import type { ConsoleFile } from "./read-files.ts";

const root = "/console";

/** No script reaches the document as text (Trusted Types). With an identity provider the page calls its addresses too. */
const policyFor = (connections: readonly string[]): string =>
  contentSecurityPolicy({
    connections,
    furtherDirectives: ["require-trusted-types-for 'script'", "trusted-types 'none'"],
  });

/** No other page may hold or read this one. */
const headersOf = ({ isImmutable }: ConsoleFile, policy: string) => ({
  "Cache-Control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
  "Content-Security-Policy": policy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
});

/**
 * GET /console and everything below it: static files, which hold nothing of any tenant. What the page shows it reads from the public
 * API, with the credential of the signed-in user.
 *
 * @param connections origins besides this one that the page may call: those of the identity provider.
 */
export const consolePages = (
  files: ReadonlyMap<string, ConsoleFile>,
  connections: readonly string[],
  limit: AnonymousLimit,
): RequestHandler => {
  const policy = policyFor(connections);
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
    respondFile(request, response, file, headersOf(file, policy));
  };
};
