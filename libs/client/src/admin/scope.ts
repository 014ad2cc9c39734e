import type { OrganizationRecord } from "../contract/wire.ts";
import type { ProjectRecord } from "../contract/records.ts";
import { waitWithin } from "../transport/deadline.ts";
import { type CallOptions, positiveTimeout } from "../transport/options.ts";
import { requireList } from "../transport/require-list.ts";
import type { Transport } from "../transport/transport.ts";
import { callAdmin } from "./admin-transport.ts";
import { readRecord } from "./read-record.ts";

export const isGid = (text: string): boolean => text.startsWith("gid:");

/** The organization of the service account, and the project that calls are about. */
export class Scope {
  readonly #transport: Transport;
  readonly #project: string | undefined;
  #organizationId: Promise<string> | undefined;
  #projectId: Promise<string> | undefined;

  /** @param project gid or name; without it the only project of the organization. */
  constructor(transport: Transport, project: string | undefined) {
    this.#transport = transport;
    this.#project = project;
  }

  async organization(options: CallOptions = {}): Promise<OrganizationRecord> {
    const path = "/configs/v1/organizations/current";
    return (await callAdmin<OrganizationRecord>(this.#transport, { ...options, path })).body;
  }

  /** Requested once; after a failure again. */
  async organizationId(options: CallOptions = {}): Promise<string> {
    this.#organizationId ??= this.organization(this.#sharedOptions(options)).then(
      ({ id }) => id,
      (error: unknown) => {
        this.#organizationId = undefined;
        throw error;
      },
    );
    return this.#wait(this.#organizationId, options);
  }

  /**
   * The gid of a project. That of the client is requested once, after a failure again.
   *
   * @param project gid or name, instead of that of the client.
   */
  async projectId({
    project,
    ...options
  }: CallOptions & { project?: string | undefined } = {}): Promise<string> {
    if (project !== undefined) return this.#findProject(project, options);
    this.#projectId ??= this.#findProject(this.#project, this.#sharedOptions(options)).catch(
      (error: unknown) => {
        this.#projectId = undefined;
        throw error;
      },
    );
    return this.#wait(this.#projectId, options);
  }

  /** Options of a request whose result several calls use: neither the signal of one of them ends it, nor a shorter time. */
  #sharedOptions({ timeoutMs = 1 }: CallOptions): CallOptions {
    return { timeoutMs: Math.max(positiveTimeout(timeoutMs), this.#transport.connection.timeoutMs) };
  }

  #wait(id: Promise<string>, options: CallOptions): Promise<string> {
    return waitWithin(id, options, this.#transport.connection.timeoutMs);
  }

  async #findProject(project: string | undefined, { signal, timeoutMs }: CallOptions): Promise<string> {
    if (project !== undefined && isGid(project)) return project;
    const options = { signal, timeoutMs };
    if (project !== undefined)
      return (await readRecord<ProjectRecord>(this.#transport, "/projects", project, options)).body.id;
    const call = { ...options, path: "/configs/v1/projects" };
    const { body } = await callAdmin<{ data: ProjectRecord[] }>(this.#transport, call);
    const records = requireList(body.data, "data");
    const [only, ...rest] = records;
    if (only !== undefined && rest.length === 0) return only.id;
    const projects = records.map(({ name }) => name);
    throw new TypeError(
      `project: the organization has ${projects.length} projects, name one in the options of IkgAdmin or of the call`,
      { cause: { projects } },
    );
  }
}
