import { Problem } from "@ikg/contracts";
import { exchangeOf } from "@ikg/service";
import type { Request, RequestHandler, Response } from "express";
import type { AnonymousLimit } from "./anonymous-limit.ts";

/**
 * One path that anybody may GET: it is answered before a credential is looked for.
 *
 * @param operation its name in logs and metrics
 * @param limit counts each request; one without a method that is answered, too.
 */
export const openPath =
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
    const exchange = exchangeOf(response);
    exchange.operation = operation;
    exchange.route = path;
    limit(request);
    if (request.method !== "GET" && request.method !== "HEAD")
      throw new Problem("method_not_allowed", { headers: { Allow: "GET, HEAD" } });
    return answer(request, response);
  };
