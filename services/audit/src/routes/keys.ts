import type { Request, RequestHandler, Response } from "express";
import { isGid, Problem } from "@ikg/contracts";
import { requestContextOf, respond } from "@ikg/service";
import type { RegisteredKey } from "../store/chain-state.ts";
import { joinedAnswers } from "./joined-answers.ts";

export const keysPath = "/audit/.well-known/jwks.json";

/**
 * GET of every public key that ever signed for a project. It has no caller, so it is no `route`, and equal questions share an
 * answer.
 */
export const keys = (read: (project: string) => Promise<readonly RegisteredKey[]>): RequestHandler => {
  const keysOf = joinedAnswers(read);
  return async (request: Request, response: Response): Promise<void> => {
    const requestContext = requestContextOf(response);
    requestContext.operation = "audit_keys";
    requestContext.route = keysPath;
    const project = request.query["project_id"];
    if (typeof project !== "string" || !isGid(project))
      throw new Problem("invalid_request", { errors: ["project_id: gid expected"] });
    const known = await keysOf(project);
    respond(response, 200, { keys: known.map(({ jwk }) => jwk) }, { "Cache-Control": "max-age=300" });
  };
};
