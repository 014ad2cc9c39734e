import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { AuditedRequest } from "@ikg/audit";
import { bearerOf, type Endpoint } from "@ikg/auth";
import { refusalLimits, type RefusalPace } from "@ikg/concurrency";
import {
  administratorAccess,
  type Caller,
  Problem,
  type ProblemCode,
  type Reach,
  reachFor,
  roleMissing,
} from "@ikg/contracts";
import { performance } from "node:perf_hooks";
import { auditedRequest } from "../audit/audited-request.ts";
import { callerRefusal } from "../audit/caller-refusal.ts";
import type { RepeatedRefusals } from "../audit/repeated-refusals.ts";
import type { AuditTrail, RequestTrail } from "../audit/trail.ts";
import { parseBody, type ReadBody } from "./body.ts";
import { consistencyHeader } from "./consistency.ts";
import { beginRequestContext, requestContextFields, requestContextOf } from "./request-context.ts";
import { acceptsGzip, singleHeader } from "./header-value.ts";
import type { Health } from "../process/health.ts";
import type { ContextOf } from "../contexts/internal-contexts.ts";
import type { AdmitsPeer } from "../internal-tls/peers.ts";
import { JsonLines, jsonLinesType, sendLines } from "./json-lines.ts";
import { JsonText } from "./json-text.ts";
import type { Logger } from "../logs/log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { SignalOf } from "./request-signals.ts";
import type { RequestUsage } from "../metrics/request-usage.ts";
import { respond, respondProblem, startLines } from "./respond.ts";
import type { Route } from "./route.ts";
import { exemptFromRequestTimeout, markAuthenticated } from "./request-timeouts.ts";
import type { Tracing } from "../tracing/tracing.ts";

/** What an app needs of its process. */
export interface AppParts {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly tracing: Tracing;
  readonly contextOf: ContextOf;
  readonly signalOf: SignalOf;
  readonly readBody: ReadBody;
  readonly trail: AuditTrail;
  readonly refusals: RepeatedRefusals;
  readonly usage: RequestUsage;
  readonly refusalPace: RefusalPace;
  readonly admitsPeer: AdmitsPeer;
}

/** An express app without what this product never uses: views, etags, `X-Powered-By`. */
export const newExpress = (): Express => {
  const app = express();
  app.disable("x-powered-by").disable("etag").enable("case sensitive routing");
  return app;
};

/**
 * What the server makes requests and answers of. Express gives each one that comes the prototype of its own; an object
 * whose prototype changes is slow from then on, so they are made with it.
 */
export const messagesOf = (app: Express) => {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as Request;
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as Response;
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
};

const allowHeader = (methods: readonly string[]): string =>
  [
    ...new Set(methods.flatMap((method) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]))),
  ].join(", ");

/** Mounts routes by path: each method its handler, every other method 405 with `Allow`. */
export const mountRoutes = (app: Express, routes: readonly Route[], parts: AppParts): void => {
  for (const route of routes) app.route(route.path)[route.method](handlerOf(route, parts));
  // After all of them: the name of a record may be that of an endpoint with another method.
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const allow = allowHeader(ofPath.map((route) => route.method));
    app.route(path).all(() => {
      throw new Problem("method_not_allowed", { headers: { Allow: allow } });
    });
  }
};

/**
 * The agent's permission, or the administrator's roles; the gateway checked the same.
 *
 * @returns where the caller may call the operation.
 */
const checkPermission = (caller: Caller, route: Route): Reach => {
  if (caller.kind === "agent") {
    if (route.permission !== undefined && !caller.permissions.includes(route.permission))
      throw new Problem("permission_missing", { message: `permission missing: ${route.permission}` });
    return [caller.project];
  }
  const access = administratorAccess(route.operation);
  const reach = access === undefined ? [] : reachFor(caller, access);
  if (reach.length === 0) throw roleMissing(caller);
  return reach;
};

/** Leaves an audit record of a refused caller, and throws the error. */
type Refuse = (error: unknown) => Promise<never>;

/** A caller without a role can call as often as one with a role, so equal refusals share a record. */
const refuseBy =
  (refusals: RepeatedRefusals, caller: Caller, request: AuditedRequest): Refuse =>
  async (error) => {
    const { message, status } = problemOf(error);
    await refusals.keep(callerRefusal(caller, message, status, request));
    throw error;
  };

/** What a handler answers an administrator whose role does not count for the record or project that the call is about. */
const roleProblems: ReadonlySet<ProblemCode> = new Set(["role_missing", "role_read_only"]);

/** Writes the audit notes that a request made before it failed. */
const keepFailure = async (
  caller: Caller,
  error: unknown,
  requestTrail: RequestTrail,
  refuse: Refuse,
): Promise<never> => {
  const { code, status } = problemOf(error);
  await requestTrail.flush(caller, status);
  if (roleProblems.has(code)) return refuse(error);
  throw error;
};

/** @returns a promise only for a refused caller, so that accepted requests wait for nothing. */
const checkCaller = (caller: Caller, route: Route, refuse: Refuse): Reach | Promise<never> => {
  const kind = caller.kind === "agent" ? "agent" : "administrator";
  if (route.caller !== "either" && kind !== route.caller) throw new Problem("internal_context_invalid");
  try {
    return checkPermission(caller, route);
  } catch (error) {
    return refuse(error);
  }
};

const bodyOf = async (
  request: Request,
  response: Response,
  limit: Route["bodyLimit"],
  caller: Caller,
  readBody: ReadBody,
): Promise<unknown> => {
  if (limit === undefined) return undefined;
  if (limit === "stream") {
    exemptFromRequestTimeout(request);
    return request;
  }
  const tenant = { id: caller.kind === "agent" ? caller.project : caller.org, organizationId: caller.org };
  return parseBody(request.headers["content-type"], await readBody(request, response, limit, tenant));
};

/** As the gateway names it. */
const endpointOf = ({ method, path }: Route): Endpoint => ({ method: method.toUpperCase(), route: path });

const handlerOf =
  (route: Route, { contextOf, signalOf, readBody, trail, refusals, log }: AppParts) =>
  async (request: Request, response: Response): Promise<void> => {
    const context = requestContextOf(response);
    context.operation = route.operation;
    context.route = route.path;
    const { caller, address, alias } = await contextOf(request, endpointOf(route));
    context.address = address;
    if (caller === undefined) throw new Problem("internal_context_invalid");
    markAuthenticated(request);
    const audited = auditedRequest(request, context, address);
    const requestTrail = trail.begin(audited);
    const refuse = refuseBy(refusals, caller, audited);
    const checked = checkCaller(caller, route, refuse);
    const reach = checked instanceof Promise ? await checked : checked;
    if (caller.kind === "agent") context.project = caller.project;
    const bearer = route.caller === "agent" ? bearerOf(request.rawHeaders) : undefined;
    const body = await bodyOf(request, response, route.bodyLimit, caller, readBody);
    const answer = route.run({
      body,
      query: route.readsQuery ? request.query : undefined,
      // Every path of a route has named segments only, so no value is an array.
      params: request.params as Record<string, string>,
      caller,
      reach,
      bearer,
      ifMatch: request.headers["if-match"],
      explain: request.headers["x-explain"] === "true",
      wantsLines: request.headers.accept?.includes(jsonLinesType) ?? false,
      alias,
      consistencyToken: singleHeader(request.headers[consistencyHeader.toLowerCase()]),
      requestId: context.requestId,
      note: requestTrail.note,
      auditRecord: (createNote, status) => requestTrail.recordOf(createNote(), caller, status),
      signal: signalOf(response),
    });
    const reply = await answer.catch((error: unknown) => keepFailure(caller, error, requestTrail, refuse));
    await requestTrail.flush(caller, reply.status).catch((error: unknown) => {
      if (reply.body instanceof JsonText) reply.body.release();
      if (reply.body instanceof JsonLines) void reply.body.abandon();
      throw error;
    });
    if (reply.body instanceof JsonLines) {
      exemptFromRequestTimeout(request);
      const gzip = reply.body.compressible && acceptsGzip(request.headers["accept-encoding"]);
      await sendLines(
        startLines(response, reply, gzip),
        reply.body,
        (error) => logFailure(log, problemOf(error), request, response),
        gzip,
      );
    } else respond(response, reply.status, reply.body, reply.headers);
  };

/** Errors that express itself throws, for paths that do not decode. */
const isClientError = (error: unknown): boolean =>
  error instanceof Error && "status" in error && error.status === 400;

const problemOf = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  return isClientError(error)
    ? new Problem("invalid_request", { errors: ["path: malformed percent-encoding"], cause: error })
    : new Problem("internal", { cause: error });
};

/** An internal error with its stack; an unavailable store or service briefly, since there will be many. */
const logFailure = (
  log: Logger,
  problem: Problem,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  const { cause = problem } = problem;
  const fields = {
    ...requestContextFields(requestContextOf(response), request.method ?? "", problem.status),
    problem: problem.code,
  };
  if (problem.status === 500) log.error("request failed", { ...fields, error: cause });
  else log.warn("request failed", { ...fields, cause: cause instanceof Error ? cause.message : "" });
};

/** True for what the disconnection of a caller stopped: no caller waits for an answer, and nothing has failed. */
const isGivenUp = (error: unknown, response: ServerResponse): boolean =>
  response.destroyed && error instanceof Error && error.name === "AbortError";

/** Completes an app: requests without a route are 404, errors become an error envelope. */
export const closeApp = (app: Express, { log, usage, refusalPace }: AppParts): void => {
  app.use(() => {
    throw new Problem("not_found");
  });
  app.use(async (error: unknown, request: IncomingMessage, response: ServerResponse, _next: NextFunction) => {
    if (isGivenUp(error, response)) return;
    const problem = problemOf(error);
    const { project, started } = requestContextOf(response);
    if (problem.status >= 500) logFailure(log, problem, request, response);
    if (project !== undefined) {
      usage.failed(project, problem);
      // One that waited before it was refused has had its pace, and may be near the limit that its caller waits.
      const isEarly = performance.now() - started < refusalLimits.holdMs;
      if (problem.status === 429 && isEarly) await refusalPace(project);
    }
    respondProblem(response, problem);
  });
};

/** Runs before the app: request id, probes, log line, metrics, trace. */
export const listenerOf = (
  app: Express,
  { log, metrics, health, tracing, usage, admitsPeer }: AppParts,
): RequestListener => {
  const finish = (request: IncomingMessage, response: ServerResponse): void => {
    const context = requestContextOf(response);
    const method = request.method ?? "";
    // 499: the caller disconnected before the response was complete.
    const status = response.writableFinished ? response.statusCode : 499;
    metrics.observeRequest(context.operation, method, status, performance.now() - context.started);
    if (context.project !== undefined) usage.request(context.project);
    if (log.isLevelEnabled("http")) log.log("http", "request", requestContextFields(context, method, status));
  };
  return (request, response) => {
    beginRequestContext(request, response);
    if (health.answer(request, response)) return;
    response.once("close", () => finish(request, response));
    if (!admitsPeer(request)) {
      respondProblem(response, new Problem("internal_context_invalid", { headers: { "Retry-After": "5" } }));
      return;
    }
    tracing.serve(request, response, () => app(request, response));
  };
};
