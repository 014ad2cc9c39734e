import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { RequestHandler } from "express";
import type { AnonymousLimit } from "../anonymous-limit.ts";
import { publicPath } from "../public-path.ts";
import { contentSecurityPolicy } from "../static-files/content-security-policy.ts";
import { respondFile } from "../static-files/respond-file.ts";
import { fileTypes, type StaticFile, staticFile } from "../static-files/static-file.ts";
import { page, start } from "./page.ts";

const packaged = createRequire(import.meta.url);
const ofPackage = (name: string): Buffer => readFileSync(packaged.resolve(`swagger-ui-dist/${name}`));

const headers = {
  "Cache-Control": "max-age=300",
  // Swagger UI sets styles in its markup, so styles alone may be inline.
  "Content-Security-Policy": contentSecurityPolicy({ styles: ["'unsafe-inline'"] }),
};

/** The document with the address under which clients reach this deployment. */
const documentFor = (publicUrl: string): Buffer => {
  // Generated from the contract, and held by a test.
  const document = JSON.parse(readFileSync(new URL("openapi.json", import.meta.url), "utf8")) as Readonly<
    Record<string, unknown>
  >;
  return Buffer.from(JSON.stringify({ ...document, servers: [{ url: publicUrl }] }));
};

/** By path. */
const filesFor = (publicUrl: string): Readonly<Record<string, StaticFile>> => ({
  "/openapi.json": staticFile(fileTypes.json, documentFor(publicUrl)),
  "/docs": staticFile(fileTypes.html, Buffer.from(page)),
  "/docs/start.js": staticFile(fileTypes.js, Buffer.from(start)),
  "/docs/swagger-ui.css": staticFile(fileTypes.css, ofPackage("swagger-ui.css")),
  "/docs/swagger-ui-bundle.js": staticFile(fileTypes.js, ofPackage("swagger-ui-bundle.js")),
});

/** GET /openapi.json, and /docs which shows it to people; everything comes from files of this gateway. */
export const reference = (publicUrl: string, limit: AnonymousLimit): readonly RequestHandler[] =>
  Object.entries(filesFor(publicUrl)).map(([path, file]) =>
    publicPath(path, path === "/openapi.json" ? "openapi" : "docs", limit, (request, response) =>
      respondFile(request, response, file, headers),
    ),
  );
