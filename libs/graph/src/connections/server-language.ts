import { SingleFlight, withTimeout } from "@ikg/concurrency";
import { Problem } from "@ikg/contracts";
import { tlsFault } from "@ikg/tls";
import { isOldVersion, languagePrefix, versionQuery } from "./dialect.ts";
import {
  isConnectionLost,
  isCredentialWrong,
  UnsupportedServerVersionError,
  StatementTimeout,
  timeoutAsUnavailable,
  unavailable,
} from "../errors.ts";
import { runRead, type Source } from "../statements/read.ts";
import type { GraphHooks, StatementOptions } from "../types.ts";

/** Limit of the query for the server's version; its callers wait no longer than for a statement. */
const versionTimeoutMs = 30_000;
const version = "version";

/** The prefix of a server's texts, and the options of a statement with what is left of its time. */
export type Prefixed = readonly [prefix: string, StatementOptions];

/** Callbacks for a server that cannot be used: it is too old, refuses the credentials, or fails the TLS handshake. */
export type ServerHooks = Pick<GraphHooks, "onOldServer" | "onCredentialWrong" | "onTlsFault">;

/** What a server understands, as far as statements depend on it: the language version that stands before every text. */
export class ServerLanguage {
  readonly #source: Source;
  readonly #hooks: ServerHooks;
  readonly #queries = new SingleFlight<typeof version, string>();
  #prefix: string | undefined;

  constructor(source: Source, hooks: ServerHooks) {
    this.#source = source;
    this.#hooks = hooks;
  }

  /** @throws Problem `unavailable` (503) when the server does not say its version in time, or is too old. */
  async prefix(options: StatementOptions): Promise<Prefixed> {
    if (this.#prefix !== undefined) return [this.#prefix, options];
    const started = performance.now();
    const prefix = await this.#query(options.timeoutMs);
    const timeoutMs = Math.max(1, options.timeoutMs - (performance.now() - started));
    return [prefix, { ...options, timeoutMs }];
  }

  /**
   * What the failure of a statement means for the server.
   *
   * @returns true if a connection to it was lost, so that it may be replaced by now.
   */
  noteFailure(error: unknown): boolean {
    // The server is probed before a statement whose outcome could get lost is sent to it.
    if (error instanceof Problem && ["unavailable", "commit_unknown"].includes(error.code))
      this.#prefix = undefined;
    if (isCredentialWrong(error)) this.#hooks.onCredentialWrong?.();
    const fault = error instanceof Problem && error.code === "unavailable" ? tlsFault(error) : undefined;
    if (fault !== undefined) this.#hooks.onTlsFault?.(fault);
    return isConnectionLost(error);
  }

  /** Read once, and again after the connection was lost, since the server may have been replaced. */
  async #query(timeoutMs: number): Promise<string> {
    const query = this.#queries.run(version, () => this.#queryVersion());
    try {
      return await withTimeout(query, timeoutMs, () => new StatementTimeout(timeoutMs));
    } catch (error) {
      this.noteFailure(error);
      throw timeoutAsUnavailable(error);
    }
  }

  async #queryVersion(): Promise<string> {
    const [row] = await runRead(this.#source, versionQuery, {}, { timeoutMs: versionTimeoutMs });
    const text = String(row?.["version"]);
    if (isOldVersion(text)) {
      this.#hooks.onOldServer?.(text);
      throw unavailable(new UnsupportedServerVersionError(text));
    }
    this.#prefix = languagePrefix(text);
    return this.#prefix;
  }
}
