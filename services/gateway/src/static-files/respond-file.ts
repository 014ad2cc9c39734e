import { requestContextOf, requestIdHeader } from "@ikg/service";
import type { Request, Response } from "express";
import type { StaticFile } from "./static-file.ts";

/** Headers with which a page is sent, besides those of every file. */
export interface PageHeaders {
  readonly "Cache-Control": string;
  readonly "Content-Security-Policy": string;
  readonly [name: string]: string;
}

/** RFC 9110, section 13.1.2: weak comparison. Express's own also resends where the caller sends `Cache-Control: no-cache`. */
const isUnchanged = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === "*" || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag));

/** Answers with a file, compressed for who accepts that, or with 304 where the caller has it. */
export const respondFile = (
  request: Request,
  response: Response,
  file: StaticFile,
  pageHeaders: PageHeaders,
): void => {
  const compressed = request.acceptsEncodings("gzip") === false ? undefined : file.compressed;
  const etag = compressed === undefined ? file.etag : file.compressedEtag;
  const headers = {
    ...pageHeaders,
    ETag: etag,
    Vary: "Accept-Encoding",
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
