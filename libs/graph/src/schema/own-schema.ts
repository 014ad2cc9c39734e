import { SingleFlight } from "@ikg/concurrency";
import type { Problem } from "@ikg/contracts";
import { DatabaseUnavailableError, isStatementTimeout, unavailable } from "../errors.ts";
import { readSchemaState, SchemaMismatch, schemaVersions, whyUnreadable } from "./schema-version.ts";
import type { Database } from "../types.ts";

/** How long the version of a project's own database counts as known by default, in milliseconds. */
export const defaultSchemaAgeMs = 60_000;
/** Limit of reading a version; a statement waits for it no longer than its own limit. */
const readTimeoutMs = 10_000;
/** Attempts in the background that fail are this many in the age of a version at most. */
const attemptsPerAge = 10;
const version = "version";
const remedyIfOlder = "the service configs migrates it, or logs why it cannot";

export interface OwnSchemaParts {
  /** Reads without a check of the version. */
  readonly database: Pick<Database, "read">;
  /** How long a version that was read counts as known, in milliseconds. */
  readonly ageMs: number;
  /** Called when data turns out not to be understood, with the reason, and without one when it is understood again. */
  readonly onChange: (reason: string | undefined) => void;
  /** Milliseconds of a clock that is never set back; default that of the process. */
  readonly now?: () => number;
}

/**
 * The Problem of a statement that was not sent because the version was not read in time. Its cause is no `StatementTimeout`,
 * by which callers recognize a slow statement.
 */
export const versionUnavailable = (cause?: unknown): Problem =>
  unavailable(new DatabaseUnavailableError("the schema version was not read in time", { cause }));

/**
 * Whether this build understands the data of a project's own database. Its version is read before the first statement, once
 * for all that wait. While the database is used the version is read again in the background, so that no statement waits for
 * it. Statements wait where the known version is twice as old as it may be, or is one that is refused.
 */
export class OwnSchema {
  readonly #parts: OwnSchemaParts;
  readonly #now: () => number;
  readonly #reads = new SingleFlight<typeof version, void>();
  /** When the last read that succeeded began. */
  #readAt = -Infinity;
  /** When the last read began, whatever its outcome. */
  #triedAt = -Infinity;
  /** Why the data is not understood; undefined where it is, and before the first read. */
  #reason: string | undefined;

  constructor(parts: OwnSchemaParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
  }

  /**
   * @returns undefined where statements may be sent at once; otherwise a promise that resolves where they may be sent then.
   * @throws (as a rejection) Problem `unavailable` (503) for data that this build does not understand, with the versions in
   *   `errors`, and when the version is not read in time; otherwise as `Database.read`.
   */
  check(): Promise<void> | undefined {
    const { ageMs } = this.#parts;
    const age = this.#now() - this.#readAt;
    if (this.#reason === undefined && age < 2 * ageMs) {
      if (age >= ageMs) this.#refresh();
      return undefined;
    }
    return age < ageMs ? this.#assertReadable() : this.#read().then(() => this.#assertReadable());
  }

  async #assertReadable(): Promise<void> {
    if (this.#reason === undefined) return;
    throw unavailable(new SchemaMismatch(this.#reason), [`database: ${this.#reason}`]);
  }

  /** A failure is ignored: the version that is known ages, and the read is tried again. */
  #refresh(): void {
    if (this.#now() - this.#triedAt < this.#parts.ageMs / attemptsPerAge) return;
    this.#read().catch(() => undefined);
  }

  #read(): Promise<void> {
    return this.#reads.run(version, async () => {
      const begunAt = this.#now();
      this.#triedAt = begunAt;
      const reason = await this.#readReason();
      const isChanged = reason !== this.#reason;
      this.#reason = reason;
      this.#readAt = begunAt;
      if (isChanged) this.#parts.onChange(reason);
    });
  }

  /** @returns why the data is not understood; undefined where it is, and where nothing was prepared yet. */
  async #readReason(): Promise<string | undefined> {
    try {
      const state = await readSchemaState(this.#parts.database, readTimeoutMs);
      return state && whyUnreadable(state, schemaVersions, remedyIfOlder);
    } catch (error) {
      // A read of the server's version, which goes before the first statement of a connection, ends as a Problem.
      throw isStatementTimeout(error) ? versionUnavailable(error) : error;
    }
  }
}
