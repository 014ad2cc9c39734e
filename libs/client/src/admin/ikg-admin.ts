import type { Administrator, OrganizationRecord, ProjectExport, SuiteStatus } from "../contract/wire.ts";
import {
  administrationTimeoutMs,
  type CallOptions,
  type ConnectionOptions,
  connectionOf,
} from "../transport/options.ts";
import { Transport } from "../transport/transport.ts";
import { type ExportCounts, exportGraph, type ExportOptions } from "../capture/graph-export.ts";
import type { ImportLine } from "../capture/lines.ts";
import { callAdmin } from "./admin-transport.ts";
import { Audit } from "./audit.ts";
import { Changes } from "./changes.ts";
import { Collection, CredentialCollection, type ScopeOptions } from "./collection.ts";
import type { NewOf, RecordOf, UpdateOf } from "./collection-types.ts";
import { type CollectionName, collections } from "./collections.ts";
import { Graph } from "./graph.ts";
import { LanguageCollection } from "./language-collection.ts";
import { Scope } from "./scope.ts";
import { Simulations } from "./simulations.ts";

export interface IkgAdminOptions extends ConnectionOptions {
  /** The token of a service account. */
  readonly token: string;
  /** Gid or name of the project that calls are about; by default the only project of the organization. */
  readonly project?: string | undefined;
}

type Credentials<Name extends CollectionName> = CredentialCollection<RecordOf<Name>, NewOf<Name>>;
type Records<Name extends CollectionName> = Collection<RecordOf<Name>, NewOf<Name>, UpdateOf<Name>>;
type Texts<Name extends CollectionName> = LanguageCollection<RecordOf<Name>, NewOf<Name>, UpdateOf<Name>>;

/** The control plane of an organization: configuration records, changes, simulations and audit records. */
export class IkgAdmin {
  readonly projects: Records<"projects">;
  readonly applications: Records<"applications">;
  readonly agents: Records<"agents">;
  readonly agentCredentials: Credentials<"agentCredentials">;
  readonly serviceAccounts: Records<"serviceAccounts">;
  readonly serviceAccountCredentials: Credentials<"serviceAccountCredentials">;
  readonly roleBindings: Credentials<"roleBindings">;
  readonly policies: Texts<"policies">;
  readonly queries: Texts<"queries">;
  readonly trustScoreProfiles: Records<"trustScoreProfiles">;
  readonly resolvers: Records<"resolvers">;
  readonly introspects: Records<"introspects">;
  readonly mcpServers: Records<"mcpServers">;
  readonly auditSignings: Records<"auditSignings">;
  /** Change sets and change records. */
  readonly changes: Changes;
  /** What changes would do, and what recorded decisions come to today. */
  readonly simulations: Simulations;
  readonly audit: Audit;
  /** Nodes of the project's graph, and their neighbours. */
  readonly graph: Graph;
  readonly #transport: Transport;
  readonly #scope: Scope;

  /** @throws TypeError for a missing token, or an address that is not http or https. */
  constructor(options: IkgAdminOptions) {
    const { token, project } = options;
    if (typeof token !== "string" || token === "") throw new TypeError("token: a token expected");
    const connection = connectionOf(options, administrationTimeoutMs);
    const transport = new Transport(connection, { authorization: `Bearer ${token}` });
    const scope = new Scope(transport, project);
    const parts = (name: CollectionName) => ({ transport, scope, description: collections[name] });
    this.#transport = transport;
    this.#scope = scope;
    this.projects = new Collection(parts("projects"));
    this.applications = new Collection(parts("applications"));
    this.agents = new Collection(parts("agents"));
    this.agentCredentials = new CredentialCollection(parts("agentCredentials"));
    this.serviceAccounts = new Collection(parts("serviceAccounts"));
    this.serviceAccountCredentials = new CredentialCollection(parts("serviceAccountCredentials"));
    this.roleBindings = new CredentialCollection(parts("roleBindings"));
    this.policies = new LanguageCollection(parts("policies"));
    this.queries = new LanguageCollection(parts("queries"));
    this.trustScoreProfiles = new Collection(parts("trustScoreProfiles"));
    this.resolvers = new Collection(parts("resolvers"));
    this.introspects = new Collection(parts("introspects"));
    this.mcpServers = new Collection(parts("mcpServers"));
    this.auditSignings = new Collection(parts("auditSignings"));
    this.changes = new Changes(transport, scope);
    this.simulations = new Simulations(transport, scope);
    this.audit = new Audit(transport, scope);
    this.graph = new Graph(transport, scope);
  }

  /** Who calls, and with which roles. */
  async administrator({ signal, timeoutMs }: CallOptions = {}): Promise<Administrator> {
    const call = { path: "/configs/v1/administrators/current", signal, timeoutMs };
    return (await callAdmin<Administrator>(this.#transport, call)).body;
  }

  /** Every service with its processes, whether they are ready, and in which version: for roles that read records. */
  async status({ signal, timeoutMs }: CallOptions = {}): Promise<SuiteStatus> {
    const call = { path: "/configs/v1/status", signal, timeoutMs };
    return (await callAdmin<SuiteStatus>(this.#transport, call)).body;
  }

  /** The organization of the service account. */
  organization(options?: CallOptions): Promise<OrganizationRecord> {
    return this.#scope.organization(options);
  }

  /** Every record of the project, without secrets. */
  async export(options: ScopeOptions = {}): Promise<ProjectExport> {
    const { signal, timeoutMs } = options;
    const query = { project_id: await this.#scope.projectId(options) };
    const call = { path: "/configs/v1/export", query, signal, timeoutMs };
    return (await callAdmin<ProjectExport>(this.#transport, call)).body;
  }

  /** The lines of the project's graph, as imports take them: for the roles `owner` and `data_viewer`. */
  async *exportGraph(
    options: ExportOptions & Pick<ScopeOptions, "project"> = {},
  ): AsyncGenerator<ImportLine, ExportCounts, undefined> {
    const { project, signal } = options;
    return yield* exportGraph(
      { transport: this.#transport },
      options,
      await this.#scope.projectId({ project, signal }),
    );
  }
}
