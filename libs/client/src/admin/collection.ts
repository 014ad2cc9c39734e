import type { CallOptions } from "../transport/options.ts";
import { Deadline, pause } from "../transport/deadline.ts";
import { requireList } from "../transport/require-list.ts";
import type { Transport } from "../transport/transport.ts";
import { IkgError } from "../errors/ikg-error.ts";
import { pauseBefore } from "../transport/retry.ts";
import { callAdmin } from "./admin-transport.ts";
import type { CollectionDescription } from "./collections.ts";
import { readRecord } from "./read-record.ts";
import { isGid, type Scope } from "./scope.ts";

/** What a collection's calls stand on. */
export interface CollectionParts {
  readonly transport: Transport;
  readonly scope: Scope;
  readonly description: CollectionDescription;
}

export interface ScopeOptions extends CallOptions {
  /** Gid or name of a project, instead of that of the client. */
  readonly project?: string | undefined;
}

export interface ReadOptions extends ScopeOptions {
  /** A former version. */
  readonly version?: number | undefined;
}

export interface ListOptions extends ScopeOptions {
  /** A part of the name, the display name or the description. */
  readonly search?: string | undefined;
  /** False: policies and queries come without their texts. */
  readonly texts?: boolean | undefined;
  /** Of policies: one kind. */
  readonly type?: "kbac" | "ciq" | undefined;
}

export interface DeleteOptions extends ScopeOptions {
  /** Only in this state: the ETag of a read. */
  readonly ifMatch?: string | undefined;
}

/** With `ifMatch` nothing is repeated: a record in another state is an IkgError "precondition_failed". */
export type UpdateOptions = DeleteOptions;

/** A record with the ETag of its state. */
export interface WithEtag<Record> {
  readonly record: Record;
  readonly etag: string;
}

/** Members of a record, whatever its type. */
export type Fields = Readonly<Record<string, unknown>>;

/** Credentials are created and deleted, and never updated. */
export class CredentialCollection<Row extends { readonly id: string }, New extends object> {
  protected readonly parts: CollectionParts;

  constructor(parts: CollectionParts) {
    this.parts = parts;
  }

  protected path(id?: string): string {
    const { path } = this.parts.description;
    return `/configs/v1${path}${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;
  }

  protected async scopeQuery(options: ScopeOptions): Promise<Record<string, string>> {
    const { scope, description } = this.parts;
    return description.scope === "organization" ? {} : { project_id: await scope.projectId(options) };
  }

  /** Every record of the project, or of the organization, in the order of creation. */
  async list({ search, texts = true, type, ...options }: ListOptions = {}): Promise<Row[]> {
    const { signal, timeoutMs } = options;
    const query = { ...(await this.scopeQuery(options)), search, type, full_fetch: texts };
    const call = { path: this.path(), query, signal, timeoutMs };
    const { body } = await callAdmin<{ data: Row[] }>(this.parts.transport, call);
    return requireList(body.data, "data");
  }

  /** A record by its gid, or by its name in the project or organization. */
  async get(idOrName: string, options: ReadOptions = {}): Promise<Row> {
    return (await this.read(idOrName, options)).record;
  }

  /** The same with its ETag. */
  async read(idOrName: string, options: ReadOptions = {}): Promise<WithEtag<Row>> {
    const { version, signal, timeoutMs } = options;
    const query = { ...(isGid(idOrName) ? {} : await this.scopeQuery(options)), version };
    const { transport, description } = this.parts;
    const call = { query, signal, timeoutMs };
    const { body, etag = "" } = await readRecord<Row>(transport, description.path, idOrName, call);
    return { record: body, etag };
  }

  /** Creates a record; project or organization are those of the client where the record names none. */
  async create(fields: New, options: ScopeOptions = {}): Promise<Row> {
    const { transport, scope, description } = this.parts;
    const { signal, timeoutMs } = options;
    const { parent } = description;
    const given = this.requestFields(fields as Fields); // an object of fields
    const known =
      given[parent] !== undefined
        ? {}
        : parent === "organization_id"
          ? { organization_id: await scope.organizationId({ signal, timeoutMs }) }
          : parent === "project_id"
            ? await this.scopeQuery(options)
            : {};
    const json = { ...given, ...known };
    return (await callAdmin<Row>(transport, { method: "POST", path: this.path(), json, signal, timeoutMs }))
      .body;
  }

  /** Deletes a record with all that it contains. */
  async delete(idOrName: string, options: DeleteOptions = {}): Promise<void> {
    const { ifMatch, signal, timeoutMs } = options;
    const path = this.path(await this.idOf(idOrName, options));
    await callAdmin(this.parts.transport, { method: "DELETE", path, ifMatch, signal, timeoutMs });
  }

  protected async idOf(idOrName: string, options: ScopeOptions): Promise<string> {
    return isGid(idOrName) ? idOrName : (await this.get(idOrName, options)).id;
  }

  /** Fields as a request has them: a text of the language may be given as a JSON object. */
  protected requestFields(fields: Fields): Fields {
    const { language } = this.parts.description;
    const text = language === undefined ? undefined : fields[language];
    return language === undefined || typeof text !== "object" || text === null
      ? fields
      : { ...fields, [language]: JSON.stringify(text) };
  }
}

/** One collection of records. */
export class Collection<
  Row extends { readonly id: string },
  New extends object,
  Update extends object,
> extends CredentialCollection<Row, New> {
  /**
   * Reads a record, and replaces it by what `change` makes of it: only if it was not changed meanwhile, else it
   * reads again and calls `change` again, within one deadline. Only one of two writers at the same time wins, so no update
   * is lost.
   *
   * @param change gets the record as it is read; fields that it does not return keep their values or are removed, as
   *   docs/api.md says of each.
   */
  async update(
    idOrName: string,
    change: (record: Row) => Update | Promise<Update>,
    options: UpdateOptions = {},
  ): Promise<Row> {
    const { transport } = this.parts;
    const { ifMatch } = options;
    const deadline = new Deadline(options, transport.connection.timeoutMs);
    const within = (): CallOptions => ({
      signal: deadline.signal,
      timeoutMs: Math.max(1, Math.ceil(deadline.remainingMs)),
    });
    try {
      for (let attempts = 1; ; attempts++) {
        const { record, etag } = await this.read(idOrName, { ...options, ...within() });
        const json = this.#replacement(record, await change(record));
        try {
          const call = {
            method: "PUT",
            path: this.path(record.id),
            json,
            ifMatch: ifMatch ?? etag,
            ...within(),
          } as const;
          return (await callAdmin<Row>(transport, call)).body;
        } catch (error) {
          const isOutdated = error instanceof IkgError && error.code === "precondition_failed";
          if (!isOutdated || ifMatch !== undefined) throw error;
          const ms = pauseBefore(attempts, undefined) / 10;
          if (ms >= deadline.remainingMs) throw error;
          await pause(ms, deadline.signal);
        }
      }
    } finally {
      deadline.close();
    }
  }

  /** What a PUT sends: without fields that were read without their secrets and are left as they are. */
  #replacement(record: Row, changed: Update): Fields {
    const { masked = [] } = this.parts.description;
    const read = record as unknown as Fields;
    const fields = this.requestFields(changed as unknown as Fields); // objects of fields
    const isUnchanged = (name: string): boolean =>
      masked.includes(name) && JSON.stringify(fields[name]) === JSON.stringify(read[name]);
    return Object.fromEntries(Object.entries(fields).filter(([name]) => !isUnchanged(name)));
  }
}
