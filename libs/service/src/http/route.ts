import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import {
  type AdministratorCaller,
  type AgentCaller,
  type Caller,
  type Method,
  parse,
  type Permission,
  type ProblemCode,
  type Reach,
} from "@ikg/contracts";
import type { AuditRecord } from "@ikg/audit";
import type { AuditNote, Note } from "../audit/note.ts";
import { defaultBodyLimit } from "./body.ts";

/** Who may call; `either` for a path that agents and administrators share. */
export type CallerKind = "agent" | "administrator" | "either";

interface Callers {
  readonly agent: AgentCaller;
  readonly administrator: AdministratorCaller;
  readonly either: Caller;
}

type CallerOf<C extends CallerKind> = Callers[C];
export type Query = Readonly<Record<string, string>>;

/** What the handler of a route receives: everything parsed and checked. */
export interface RequestInput<B = undefined, C extends CallerKind = CallerKind, Q = Query> {
  readonly body: B;
  /** Parsed by `queryParameters`; empty for a route without them. */
  readonly query: Q;
  readonly params: Readonly<Record<string, string>>;
  readonly caller: CallerOf<C>;
  /** Where an administrator may call the operation; an agent reaches its own project. */
  readonly reach: Reach;
  /** The end user's token; not yet introspected. Never sent to `/configs`. */
  readonly bearer: string | undefined;
  /** The header as sent; several are joined with commas. */
  readonly ifMatch: string | undefined;
  /** `X-Explain: true`: the caller wants to know why. */
  readonly explain: boolean;
  /** `Accept` names application/x-ndjson: the caller takes an answer line by line, where the endpoint has one. */
  readonly wantsLines: boolean;
  /** The alias of the endpoint that the caller used, signed by the gateway. */
  readonly alias: string | undefined;
  /** What an earlier write answered: the reply has to know of that write. */
  readonly consistencyToken: string | undefined;
  readonly requestId: string;
  /** Adds audit records of the request, which are stored before its response is sent. */
  readonly note: Note;
  /**
   * Makes a record of what the request is about to do, to be stored together with the change; undefined where audit records are
   * disabled.
   *
   * @param status of the answer when it is done.
   */
  readonly auditRecord: (createNote: () => AuditNote, status: number) => Promise<AuditRecord | undefined>;
  /** Aborted when the caller left or the process may not wait any longer. */
  readonly signal: AbortSignal;
}

/** An answer with a status other than 200 or with headers of its own. */
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>>) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** @param body undefined sends no body. */
export const reply = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  new Reply(status, body, headers);

/** What the app passes to a route, before its schemas are applied. */
export interface RawInput extends Omit<RequestInput, "body" | "query"> {
  readonly body: unknown;
  readonly query: unknown;
}

/** One endpoint of a service, as the app mounts it. */
export interface Route {
  readonly operation: string;
  readonly method: Method;
  readonly path: string;
  readonly caller: CallerKind;
  readonly permission: Permission | undefined;
  /** Bytes; undefined when the route reads no body; `stream` when it takes it as it comes. */
  readonly bodyLimit: number | "stream" | undefined;
  readonly readsQuery: boolean;
  run(input: RawInput): Promise<Reply>;
}

/**
 * @param permission that the agent needs; checked by the gateway and again by the service.
 * @param request schema of the body; a body on a route without it is ignored.
 * @param faults what a body that breaks its schema is: 400 on the data plane, 422 on configs.
 * @param handle answers a plain value (200) or a `reply`; throws a Problem.
 */
export interface RouteDefinition<S extends z.ZodType, C extends CallerKind, Q extends z.ZodType> {
  readonly operation: string;
  readonly method: Method;
  readonly path: string;
  readonly caller: C;
  readonly permission?: Permission;
  readonly request?: S;
  readonly queryParameters?: Q;
  readonly faults?: Extract<ProblemCode, "invalid_request" | "unprocessable">;
  readonly bodyLimit?: number;
  handle(input: RequestInput<z.output<S>, C, z.output<Q>>): Promise<unknown>;
}

/** Types one endpoint: its input by the schemas, then `handle`, then its answer. */
export const route = <
  C extends CallerKind,
  S extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodType<Query>,
>(
  definition: RouteDefinition<S, C, Q>,
): Route => {
  const { operation, method, path, caller, permission, request, queryParameters } = definition;
  const faults = definition.faults ?? "invalid_request";
  return {
    operation,
    method,
    path,
    caller,
    permission,
    bodyLimit: request === undefined ? undefined : (definition.bodyLimit ?? defaultBodyLimit),
    readsQuery: queryParameters !== undefined,
    run: async (input) => {
      const query =
        queryParameters === undefined ? {} : parse(queryParameters, input.query, "invalid_request");
      const body = request === undefined ? undefined : parse(request, input.body, faults);
      // The casts restate what was just established: the app checked the kind of the caller against `caller`, and
      // a missing schema stands for `undefined` and an empty query.
      const answer = await definition.handle({
        ...input,
        query: query as z.output<Q>,
        body: body as z.output<S>,
        caller: input.caller as CallerOf<C>,
      });
      return answer instanceof Reply ? answer : new Reply(200, answer, {});
    },
  };
};

/** @param handle reads the body itself; the rest of it is read and discarded after the answer. */
export interface UploadDefinition<C extends CallerKind> {
  readonly operation: string;
  readonly method: Method;
  readonly path: string;
  readonly caller: C;
  readonly permission?: Permission;
  handle(input: RequestInput<IncomingMessage, C>): Promise<unknown>;
}

/** Types one endpoint whose body is taken as it comes: of any length, for any time. */
export const uploadRoute = <C extends CallerKind>(definition: UploadDefinition<C>): Route => ({
  operation: definition.operation,
  method: definition.method,
  path: definition.path,
  caller: definition.caller,
  permission: definition.permission,
  bodyLimit: "stream",
  readsQuery: false,
  run: async (input) => {
    // The casts restate what the app saw to: it passes the request itself, and checked the kind of the caller.
    const answer = await definition.handle({
      ...input,
      query: {},
      body: input.body as IncomingMessage,
      caller: input.caller as CallerOf<C>,
    });
    return answer instanceof Reply ? answer : new Reply(200, answer, {});
  },
});
