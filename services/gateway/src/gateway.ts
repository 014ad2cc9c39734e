import type { Request, RequestHandler, Response } from "express";
import type { Operation } from "@ikg/contracts";
import { Problem } from "@ikg/contracts";
import type { CallTarget, ContextHeaders } from "@ikg/auth";
import { markAuthenticated, type RequestContext, requestContextOf, respond } from "@ikg/service";
import type { OnAdmitted } from "./account-tokens.ts";
import type { Admission } from "./admission.ts";
import { type Aliases, canonicalPath } from "./aliases.ts";
import { bodyLength } from "./body-length.ts";
import type { NoteClient } from "./client-address/note-client.ts";
import { emptyCollections } from "./empty-collections.ts";
import { requestHeaders } from "./headers.ts";
import type { InFlight } from "./in-flight.ts";
import type { Match } from "./routing.ts";
import type { RequestTurns } from "./turns/request-turns.ts";
import { forwardRequest, type GuardedUpstream } from "./upstream/forward-request.ts";

export type UpstreamName = Operation["service"];

export interface GatewayParts {
  readonly match: (method: string, url: string) => Match;
  readonly admit: Admission;
  readonly noteClient: NoteClient;
  readonly inFlight: InFlight;
  readonly turns: RequestTurns;
  readonly onAdmitted: OnAdmitted;
  /** Writes the audit record of a refusal before the response is sent. */
  readonly recordRejection: (error: unknown, request: Request, context: RequestContext) => Promise<void>;
  readonly contextHeaders: ContextHeaders;
  /** Undefined for a service that this deployment lacks. */
  readonly upstreams: Readonly<Record<UpstreamName, GuardedUpstream | undefined>>;
  readonly aliases: Aliases;
}

/** @returns undefined for a path that belongs to no operation. */
const operationOf = (match: Match): Operation | undefined => {
  if (match.kind === "method_not_allowed")
    throw new Problem("method_not_allowed", { headers: { Allow: match.allow } });
  return match.kind === "operation" ? match.operation : undefined;
};

/** The only endpoint that accepts a context for this operation. */
const targetOf = ({ service, method, path }: Operation): CallTarget => ({
  service,
  method: method.toUpperCase(),
  route: path,
});

const isEmptyCollection = (operation: Operation): boolean => emptyCollections.includes(operation);

/**
 * Handles every operation: route and method, credential, permission, then the service. Paths without an operation, which
 * need no credential, are left to the next handler.
 */
export const gateway = ({
  match,
  admit,
  noteClient,
  inFlight,
  turns,
  onAdmitted,
  recordRejection,
  contextHeaders,
  upstreams,
  aliases,
}: GatewayParts): RequestHandler => {
  return async (request: Request, response: Response, next): Promise<void> => {
    noteClient(request, response);
    const { url, alias } = canonicalPath(request.url, aliases);
    request.url = url;
    const operation = operationOf(match(request.method, request.url));
    if (operation === undefined) {
      next();
      return;
    }
    const requestContext = requestContextOf(response);
    const upstream = upstreams[operation.service];
    if (upstream === undefined) throw new Problem("not_found");
    requestContext.operation = operation.operation;
    requestContext.route = operation.path;
    const caller = await admit(request, operation, requestContext.requestId).catch(async (error: unknown) => {
      await recordRejection(error, request, requestContext);
      throw error;
    });
    markAuthenticated(request);
    if (caller.kind === "agent") requestContext.project = caller.project;
    inFlight.enter(caller, operation.service, response);
    onAdmitted(caller, response);
    if (isEmptyCollection(operation)) {
      respond(response, 200, { data: [] });
      return;
    }
    if (caller.kind === "agent")
      await turns.turn(caller.project, operation.operation, bodyLength(request), response);
    if (response.destroyed) return;
    const context = await contextHeaders(caller, targetOf(operation), requestContext.address, alias);
    const headers = requestHeaders(request, operation, context, requestContext);
    await forwardRequest(upstream, operation, request, headers, response);
  };
};
