import { openTlsFiles, TlsFileError, type TlsFiles } from "@ikg/tls";
import type { Logger } from "../logs/log.ts";
import { StartError } from "../process/start-error.ts";
import { internalTlsPaths, type InternalTlsSettings } from "./settings.ts";

type Log = Pick<Logger, "info" | "error">;

/**
 * The certificates for calls between services; undefined where the settings name none.
 *
 * @throws StartError with one line for settings and files that cannot be used.
 */
export const openInternalTls = async (
  settings: InternalTlsSettings,
  log: Log,
  intervalMs?: number,
): Promise<TlsFiles | undefined> => {
  const paths = internalTlsPaths(settings);
  if (paths === undefined) return undefined;
  try {
    const files = await openTlsFiles({
      paths,
      onFault: ({ message }) =>
        log.error("new certificates cannot be used; keeping the previous ones", { cause: message }),
      ...(intervalMs === undefined ? {} : { intervalMs }),
    });
    files.onChange(() => log.info("new certificates are used"));
    return files;
  } catch (error) {
    throw error instanceof TlsFileError ? new StartError([error.message], error) : error;
  }
};
