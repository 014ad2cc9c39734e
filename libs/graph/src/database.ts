import { Problem } from "@ikg/contracts";
import { runAutoCommit } from "./auto-commit.ts";
import { coalesce } from "./coalesce.ts";
import { isOldVersion, languagePrefix, versionQuery } from "./dialect.ts";
import { isCredentialWrong, OldServer, StatementTimeout, unavailable } from "./errors.ts";
import { runRead, type Source } from "./read.ts";
import { noticeSlow } from "./slow.ts";
import type { Database, GraphHooks, Params, Row, StatementEvent, StatementOptions } from "./types.ts";
import { runWrite } from "./write.ts";

/** Limit of the one question about the server's version; whoever needs the answer waits no longer than for a statement. */
const versionTimeoutMs = 30_000;

/** @throws StatementTimeout */
const within = async <T>(work: Promise<T>, timeoutMs: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StatementTimeout(timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * One database on one connection target.
 *
 * @param told of a server that cannot be used whenever it is asked again: every call is then Problem `unavailable` (503).
 */
export const openDatabase = (
  source: Source,
  hooks: GraphHooks,
  told: Pick<GraphHooks, "onOldServer" | "onCredentialWrong"> = {},
): Database => {
  let prefix: string | undefined;
  let asking: Promise<string> | undefined;

  const notice = noticeSlow(source, hooks);
  const observe = (event: StatementEvent): void => {
    hooks.onStatement?.(event);
    notice(event);
  };

  /** Asked once; asked again after the connection was lost, for the server may have been replaced. */
  const learnPrefix = async ({ timeoutMs }: StatementOptions): Promise<string> => {
    asking ??= runRead(source, versionQuery, {}, { timeoutMs: versionTimeoutMs })
      .then(([row]) => {
        const version = String(row?.["version"]);
        if (isOldVersion(version)) {
          told.onOldServer?.(version);
          throw unavailable(new OldServer(version));
        }
        return (prefix = languagePrefix(version));
      })
      .finally(() => (asking = undefined));
    try {
      return await within(asking, timeoutMs);
    } catch (error) {
      judge(error);
      throw error instanceof StatementTimeout ? unavailable(error) : error;
    }
  };

  /** The prefix of this server, and the options with what is left of their time. */
  const begin = async (options: StatementOptions): Promise<readonly [prefix: string, StatementOptions]> => {
    if (prefix !== undefined) return [prefix, options];
    const started = performance.now();
    const learned = await learnPrefix(options);
    const timeoutMs = Math.max(1, options.timeoutMs - (performance.now() - started));
    return [learned, { ...options, timeoutMs }];
  };

  /** What a failure says of the server. */
  const judge = (error: unknown): void => {
    // Whether a server is there is asked before anything else is sent to it whose outcome could get lost.
    if (error instanceof Problem && ["unavailable", "commit_unknown"].includes(error.code))
      prefix = undefined;
    if (isCredentialWrong(error)) told.onCredentialWrong?.();
  };

  /** Runs one statement behind the prefix of its server; tells of it, and judges its failure. */
  const run = async (
    statement: (before: string, options: StatementOptions) => Promise<Row[]>,
    text: string,
    given: StatementOptions,
  ): Promise<Row[]> => {
    const [before, options] = await begin(given);
    const started = performance.now();
    let rows: Row[] | undefined;
    try {
      return (rows = await statement(before, options));
    } catch (error) {
      judge(error);
      throw error;
    } finally {
      const ms = performance.now() - started;
      const { requestId } = options;
      observe({ text, ms, rows: rows?.length ?? 0, failed: rows === undefined, requestId });
    }
  };

  const read = (text: string, params: Params, options: StatementOptions): Promise<Row[]> => {
    const counted = options.onWork === undefined ? text : `PROFILE ${text}`;
    return run((before, left) => runRead(source, before + counted, params, left), text, options);
  };

  return {
    read,
    write: async (work, given) => {
      const [before, options] = await begin(given);
      try {
        return await runWrite({ ...source, prefix: before, observe }, work, options);
      } catch (error) {
        judge(error);
        throw error;
      }
    },
    writeOnce: (text, params, options) =>
      run(
        (before, left) => runAutoCommit({ ...source, prefix: before, observe }, text, params, left),
        text,
        options,
      ),
    readRow: coalesce((text, rows, options) => read(text, { rows }, options), hooks),
  };
};
