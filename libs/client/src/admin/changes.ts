import type {
  AppliedChanges,
  ChangeRecord,
  ChangeRecordWithTexts,
  ChangeSetEntry,
} from "../contract/wire.ts";
import type { Pages } from "../pages.ts";
import type { CallOptions } from "../transport/options.ts";
import type { Transport } from "../transport/transport.ts";
import { callAdmin } from "./admin-transport.ts";
import type { ScopeOptions } from "./collection.ts";
import { cursorPages, type CursorOptions, type CursorPage } from "./cursor-pages.ts";
import type { Scope } from "./scope.ts";

export interface ApplyOptions extends ScopeOptions {
  /** Why; kept in the change record. */
  readonly message?: string | undefined;
  /** Judges the changes and stores nothing. */
  readonly dryRun?: boolean | undefined;
}

export interface RevertOptions extends CallOptions {
  /** Why; kept in the change record. */
  readonly message?: string | undefined;
  /** Reverts also what was changed since. */
  readonly force?: boolean | undefined;
}

const root = "/configs/v1/changes";

/** Policies and queries that change together, and the records of all their changes. */
export class Changes {
  readonly #transport: Transport;
  readonly #scope: Scope;

  constructor(transport: Transport, scope: Scope) {
    this.#transport = transport;
    this.#scope = scope;
  }

  /** Applies changes, all or nothing. Sent once: after a failure without a response `list` says whether it was done. */
  async apply(changes: readonly ChangeSetEntry[], options: ApplyOptions = {}): Promise<AppliedChanges> {
    const { message, dryRun = false, signal, timeoutMs } = options;
    const json = { project_id: await this.#scope.projectId(options), message, changes };
    const query = { dry_run: dryRun ? true : undefined };
    const call = { method: "POST", path: root, query, json, idempotent: dryRun, signal, timeoutMs } as const;
    return (await callAdmin<AppliedChanges>(this.#transport, call)).body;
  }

  /** Change records, newest first. */
  list(options: CursorOptions & ScopeOptions = {}): Pages<ChangeRecord, CursorPage<ChangeRecord>> {
    const query = async () => ({ project_id: await this.#scope.projectId(options) });
    return cursorPages(this.#transport, () => Promise.resolve(root), query, options);
  }

  /** One with each record before and after. */
  async get(id: string, { signal, timeoutMs }: CallOptions = {}): Promise<ChangeRecordWithTexts> {
    const call = { path: `${root}/${encodeURIComponent(id)}`, signal, timeoutMs };
    return (await callAdmin<ChangeRecordWithTexts>(this.#transport, call)).body;
  }

  /** Undoes a change by another one. @throws IkgError "conflict" for what was changed since, without `force`. */
  async revert(
    id: string,
    { message, force, signal, timeoutMs }: RevertOptions = {},
  ): Promise<AppliedChanges> {
    const path = `${root}/${encodeURIComponent(id)}/revert`;
    const call = { method: "POST", path, json: { message, force }, signal, timeoutMs } as const;
    return (await callAdmin<AppliedChanges>(this.#transport, call)).body;
  }
}
