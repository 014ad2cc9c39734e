import { Audit } from "./admin/audit.ts";
import { Scope } from "./admin/scope.ts";
import { Capture } from "./capture/capture.ts";
import type {
  Action,
  ActivePolicies,
  DataSchema,
  Entity,
  EntityType,
  QueryPage,
  ResultRow,
} from "./contract/wire.ts";
import { callDataPlane, type DataPlane } from "./data-plane.ts";
import { DecisionJoiner } from "./decisions/decision-joiner.ts";
import { actionOf } from "./decisions/question.ts";
import { type EntityRef, search, type SearchOptions, type SearchPage } from "./decisions/search.ts";
import type { Pages } from "./pages.ts";
import { entityTypeOf, Person, type Subject } from "./person.ts";
import {
  executeOnce,
  query,
  type QueryOptions,
  type QueryParams,
  type RowPage,
  type RowsOptions,
} from "./queries/query.ts";
import { SignedIn } from "./signed-in.ts";
import { SessionState } from "./session-state.ts";
import { type CallOptions, type ConnectionOptions, connectionOf } from "./transport/options.ts";
import { requireList } from "./transport/require-list.ts";
import { Transport } from "./transport/transport.ts";

export interface IkgOptions extends ConnectionOptions {
  /** The key of an application agent. */
  readonly clientKey: string;
  /** False: decisions of the same turn are not joined. */
  readonly join?: boolean | undefined;
}

/** What an application asks and writes with the key of its agent. */
class DataPlaneClient {
  /** Writes of the graph. */
  readonly capture: Capture;
  protected readonly plane: DataPlane;

  constructor(plane: DataPlane) {
    this.plane = plane;
    this.capture = new Capture(plane);
  }

  /** Questions and queries on behalf of a subject; `token` is that of a signed-in person. */
  as(subject: Subject): Person {
    return new Person(this.plane, subject);
  }

  /** Stored queries of the signed-in person that the token names. */
  withToken(token: string): SignedIn {
    return new SignedIn({ ...this.plane, bearer: token });
  }

  /** Subjects of a type that may do something on a resource, ordered by id. */
  subjects(
    type: string | EntityType,
    action: string | Action,
    resource: Entity,
    options?: SearchOptions,
  ): Pages<EntityRef, SearchPage<EntityRef>> {
    const question = { subject: entityTypeOf(type), action: actionOf(action), resource };
    return search(this.plane, "subject", question, options);
  }

  /** Rows of a stored query that reads, executed as the application. */
  query<Row = ResultRow>(id: string, params?: QueryParams, options?: RowsOptions): Pages<Row, RowPage<Row>> {
    return query<Row>(this.plane, id, params, options);
  }

  /** Executes a stored query that writes: once, and never again after a failure. */
  execute(id: string, params?: QueryParams, options?: QueryOptions): Promise<QueryPage> {
    return executeOnce(this.plane, id, params, options);
  }

  /** Active policies as their authors wrote them; needs the permission `ReadAuthZConfigs`. */
  policies(
    subjectType?: string,
    { signal, timeoutMs }: CallOptions = {},
  ): Promise<ActivePolicies["results"]> {
    const query = { subject_type: subjectType };
    const call = { path: "/access/v1/policies", query, signal, timeoutMs };
    return this.#get<ActivePolicies>(call).then(({ results }) => requireList(results, "results"));
  }

  /** Statistics of the graph; needs the permission `ReadDataSchema`. */
  dataSchema({ signal, timeoutMs }: CallOptions = {}): Promise<DataSchema> {
    return this.#get<DataSchema>({ path: "/data-schema/v1", signal, timeoutMs });
  }

  async #get<T>(
    call: CallOptions & { path: string; query?: { subject_type: string | undefined } },
  ): Promise<T> {
    return (await callDataPlane<T>(this.plane, { method: "GET", idempotent: true, ...call })).body;
  }
}

/** Reads that see the writes before them: what `ikg.session()` returns. */
export class IkgSession extends DataPlaneClient {
  readonly #state: SessionState;

  constructor(plane: DataPlane, state: SessionState) {
    super({ ...plane, session: state });
    this.#state = state;
  }

  /** The newest token, for a session of another process that has to see these writes. */
  get consistencyToken(): string | undefined {
    return this.#state.token;
  }
}

/** The data plane of a project: decisions, searches, queries and graph writes. */
export class Ikg extends DataPlaneClient {
  /** @throws TypeError for a missing key, or an address that is not http or https. */
  constructor(options: IkgOptions) {
    const { clientKey, join = true } = options;
    if (typeof clientKey !== "string" || clientKey === "") throw new TypeError("clientKey: a key expected");
    const transport = new Transport(connectionOf(options), { "x-svc-clientkey": clientKey });
    super({ transport, joiner: new DecisionJoiner(transport), join });
  }

  /**
   * A session: its reads see its writes, also where a read reaches another server of a database cluster than the write.
   * Its graph writes, those of `execute` included, go one after the other.
   *
   * @param consistencyToken of another session whose writes its reads have to see.
   */
  session(consistencyToken?: string): IkgSession {
    return new IkgSession(this.plane, new SessionState(consistencyToken));
  }

  /** The audit records of the project, by its gid; needs the permission `Audit`. */
  audit(project: string): Audit {
    const { transport } = this.plane;
    return new Audit(transport, new Scope(transport, project));
  }
}
