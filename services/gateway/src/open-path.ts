import { Problem } from "@ikg/contracts";
import { exchangeOf } from "@ikg/service";
import type { Request, RequestHandler, Response } from "express";

/**
 * One path that anybody may GET: it is answered before a credential is looked for.
 *
 * @param operation its name in logs and metrics
 */
export const openPath =
  (
    path: string,
    operation: string,
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
    if (request.method !== "GET" && request.method !== "HEAD")
      throw new Problem("method_not_allowed", { headers: { Allow: "GET, HEAD" } });
    return answer(request, response);
  };
