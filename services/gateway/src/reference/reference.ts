import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { ServerResponse } from "node:http";
import type { RequestHandler } from "express";
import { requestContextOf, requestIdHeader } from "@ikg/service";
import type { AnonymousLimit } from "../anonymous-limit.ts";
import { publicPath } from "../public-path.ts";
import { page, start } from "./page.ts";

interface File {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

const packaged = createRequire(import.meta.url);
const ofPackage = (name: string): Buffer => readFileSync(packaged.resolve(`swagger-ui-dist/${name}`));

/**
 * What the pages may do: load the files next to them, and call this address. Swagger UI sets styles in its markup, so
 * styles alone may be inline; no page may frame this one, where a person types credentials.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const respondFile = (response: ServerResponse, { type, content }: File): void => {
  response
    .writeHead(200, {
      "Content-Type": type,
      "Content-Length": content.length,
      "Cache-Control": "max-age=300",
      "Content-Security-Policy": contentSecurityPolicy,
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      [requestIdHeader]: requestContextOf(response).requestId,
    })
    .end(content);
};

/** The document with the address under which clients reach this deployment. */
const documentFor = (publicUrl: string): Buffer => {
  // Generated from the contract, and held by a test.
  const document = JSON.parse(readFileSync(new URL("openapi.json", import.meta.url), "utf8")) as Readonly<
    Record<string, unknown>
  >;
  return Buffer.from(JSON.stringify({ ...document, servers: [{ url: publicUrl }] }));
};

const filesFor = (publicUrl: string): readonly File[] => [
  { path: "/openapi.json", type: "application/json; charset=utf-8", content: documentFor(publicUrl) },
  { path: "/docs", type: "text/html; charset=utf-8", content: Buffer.from(page) },
  { path: "/docs/start.js", type: "text/javascript; charset=utf-8", content: Buffer.from(start) },
  {
    path: "/docs/swagger-ui.css",
    type: "text/css; charset=utf-8",
    content: ofPackage("swagger-ui.css"),
  },
  {
    path: "/docs/swagger-ui-bundle.js",
    type: "text/javascript; charset=utf-8",
    content: ofPackage("swagger-ui-bundle.js"),
  },
];

/** GET /openapi.json, and /docs which shows it to people; everything comes from files of this gateway. */
export const reference = (publicUrl: string, limit: AnonymousLimit): readonly RequestHandler[] =>
  filesFor(publicUrl).map((file) =>
    publicPath(file.path, file.path === "/openapi.json" ? "openapi" : "docs", limit, (_request, response) =>
      respondFile(response, file),
    ),
  );
