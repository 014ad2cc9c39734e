import { Problem } from "@ikg/contracts";
import { requestContextOf } from "@ikg/service";
import type { Request, RequestHandler, Response } from "express";
import type { AnonymousLimit } from "./anonymous-limit.ts";

/**
 * One public path, which is answered before a credential is looked for.
 *
 * @param operation its name in logs and metrics
 * @param limit counts every request, also those whose method is not allowed.
 */
export const publicPath =
  (
    path: string,
    operation: string,
    limit: AnonymousLimit,
    answer: (request: Request, response: Response) => Promise<void> | void,
  ): RequestHandler =>
  (request: Request, response: Response, next) => {
    if (request.url !== path && !request.url.startsWith(`${path}?`)) {
      next();
      return;
    }
    const requestContext = requestContextOf(response);
    requestContext.operation = operation;
    requestContext.route = path;
    limit(request);
    if (request.method !== "GET" && request.method !== "HEAD")
      throw new Problem("method_not_allowed", { headers: { Allow: "GET, HEAD" } });
    return answer(request, response);
  };
