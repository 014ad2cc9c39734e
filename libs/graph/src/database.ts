import { Problem } from "@ikg/contracts";
import type { Driver } from "neo4j-driver";
import { coalesce } from "./coalesce.ts";
import { languagePrefix, versionQuery } from "./dialect.ts";
import { StatementTimeout, unavailable } from "./errors.ts";
import { runRead } from "./read.ts";
import type { Database, GraphHooks, Params, Row, StatementOptions } from "./types.ts";
import { runWrite } from "./write.ts";

/** Limit of the one question about the server's version. */
const versionTimeoutMs = 4_500;

/** One database on one connection target. */
export const openDatabase = (driver: Driver, name: string, hooks: GraphHooks): Database => {
  let prefix: string | undefined;
  let asking: Promise<string> | undefined;

  const observe = hooks.onStatement?.bind(hooks) ?? (() => undefined);

  /** Asked once; asked again after the connection was lost, for the server may have been replaced. */
  const learnPrefix = (): Promise<string> => {
    asking ??= runRead(driver, name, versionQuery, {}, { timeoutMs: versionTimeoutMs })
      .then(([row]) => (prefix = languagePrefix(String(row?.["version"]))))
      .catch((error: unknown) => {
        throw error instanceof StatementTimeout ? unavailable(error) : error;
      })
      .finally(() => (asking = undefined));
    return asking;
  };

  const forgetPrefix = (error: unknown): void => {
    if (error instanceof Problem && error.code === "unavailable") prefix = undefined;
  };

  const read = async (text: string, params: Params, options: StatementOptions): Promise<Row[]> => {
    const before = prefix ?? (await learnPrefix());
    const started = performance.now();
    let rows: Row[] | undefined;
    try {
      return (rows = await runRead(driver, name, before + text, params, options));
    } catch (error) {
      forgetPrefix(error);
      throw error;
    } finally {
      const ms = performance.now() - started;
      observe({ text, ms, rows: rows?.length ?? 0, failed: rows === undefined });
    }
  };

  return {
    read,
    write: async (work, options) => {
      const before = prefix ?? (await learnPrefix());
      try {
        return await runWrite({ driver, database: name, prefix: before, observe }, work, options);
      } catch (error) {
        forgetPrefix(error);
        throw error;
      }
    },
    readRow: coalesce((text, rows, options) => read(text, { rows }, options)),
  };
};
