import type { AuditBatch, AuditCheckpoint, AuditManifest } from "../contract/wire.ts";
import type { Pages } from "../pages.ts";
import type { QueryValues } from "../transport/request.ts";
import type { Transport } from "../transport/transport.ts";
import type { ScopeOptions } from "./collection.ts";
import { callAdmin } from "./admin-transport.ts";
import { cursorPages, type CursorOptions, type CursorPage } from "./cursor-pages.ts";
import type { Scope } from "./scope.ts";

export interface AuditOptions extends CursorOptions, ScopeOptions {}

/** A public key; `kty` says which other members it has (RFC 7518). */
export interface AuditKey {
  readonly kid: string;
  readonly kty: string;
  readonly alg: string;
  readonly [member: string]: unknown;
}

export interface AuditKeySet {
  readonly keys: readonly AuditKey[];
}

export interface BatchesOptions extends AuditOptions {
  /** Batches that were signed from then on; a batch is signed after its records were made. */
  readonly since?: Date | undefined;
  /** Batches that were signed before. */
  readonly until?: Date | undefined;
  /** `asc`, the default: in the order of the chain; `desc`: the newest first. */
  readonly order?: "asc" | "desc" | undefined;
}

/** The audit records of a project, and what proves them. */
export class Audit {
  readonly #transport: Transport;
  readonly #scope: Scope;

  constructor(transport: Transport, scope: Scope) {
    this.#transport = transport;
    this.#scope = scope;
  }

  #list<Item>(list: string, options: AuditOptions, filters: QueryValues = {}): Pages<Item, CursorPage<Item>> {
    const query = async () => ({ project_id: await this.#scope.projectId(options), ...filters });
    return cursorPages(this.#transport, () => Promise.resolve(`/audit/v1/${list}`), query, options);
  }

  /** Batches of records, in the order of the chain or the newest first. */
  batches({ since, until, order, ...options }: BatchesOptions = {}): Pages<
    AuditBatch,
    CursorPage<AuditBatch>
  > {
    const times = { since: since?.toISOString(), until: until?.toISOString() };
    return this.#list("logs", options, { ...times, order });
  }

  /** What was signed of each batch, in the order of the chain. */
  manifests(options: AuditOptions = {}): Pages<AuditManifest, CursorPage<AuditManifest>> {
    return this.#list("manifests", options);
  }

  /** Lengths of the chain, the newest first. */
  checkpoints(options: AuditOptions = {}): Pages<AuditCheckpoint, CursorPage<AuditCheckpoint>> {
    return this.#list("checkpoints", options);
  }

  /** Every public key that has signed for the project (RFC 7517). */
  async keys(options: ScopeOptions = {}): Promise<AuditKeySet> {
    const { signal, timeoutMs } = options;
    const query = { project_id: await this.#scope.projectId(options) };
    const call = { path: "/audit/.well-known/jwks.json", query, signal, timeoutMs };
    return (await callAdmin<AuditKeySet>(this.#transport, call)).body;
  }
}
