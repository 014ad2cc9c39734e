import type { IncomingMessage } from "node:http";
import { bearerOf, type Introspection, type Judged, type Token } from "@ikg/auth";
import { Problem } from "@ikg/contracts";
import { requestInvalid, tokenMissing, tokenRefused } from "./challenge.ts";
import type { Door } from "./door.ts";

/** Who calls: the bearer of a request, judged by the configuration that the MCP server is bound to, and by no other. */
export const userOf = async (
  request: Pick<IncomingMessage, "rawHeaders">,
  door: Door,
  introspection: Introspection,
  judged: Judged,
): Promise<Token> => {
  try {
    const bearer = bearerOf(request.rawHeaders);
    if (bearer === undefined) throw tokenMissing(door);
    const { project } = door.view;
    return await introspection.introspect(
      bearer,
      { project, introspects: [door.server.introspect] },
      Date.now(),
      judged,
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === "malformed_bearer") throw requestInvalid(door, error.errors);
    if (error.code === "bearer_invalid") throw tokenRefused(door, error.message);
    throw error;
  }
};
