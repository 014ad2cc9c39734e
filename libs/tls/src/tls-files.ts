import { isDeepStrictEqual } from "node:util";
import { readTlsFiles, TlsFileError, type TlsMaterial, type TlsPaths } from "./read-tls-files.ts";

/** Files are polled, because a mounted Secret is changed by a symbolic link, which file watchers do not report. */
const checkIntervalMs = 10_000;

export interface TlsFilesParts {
  readonly paths: TlsPaths;
  /** Called once when the files become unusable; the ones that were read before stay in use. */
  readonly onFault: (error: Error) => void;
  readonly intervalMs?: number;
}

/** Certificates in files, as they are now. */
export interface TlsFiles {
  current(): TlsMaterial;
  /** @param listener called after the files have changed, with what they hold. */
  onChange(listener: (material: TlsMaterial) => void): void;
  close(): void;
}

/**
 * Reads the files, and polls them for changes. New files take effect once all of them are consistent.
 *
 * @throws TlsFileError for files that cannot be used at the start.
 */
export const openTlsFiles = async ({
  paths,
  onFault,
  intervalMs = checkIntervalMs,
}: TlsFilesParts): Promise<TlsFiles> => {
  let material = await readTlsFiles(paths);
  let fault = "";
  const listeners: ((material: TlsMaterial) => void)[] = [];
  const reload = async (): Promise<void> => {
    try {
      const read = await readTlsFiles(paths);
      fault = "";
      if (isDeepStrictEqual(read, material)) return;
      material = read;
      for (const listener of listeners) listener(read);
    } catch (error) {
      if (!(error instanceof TlsFileError)) throw error;
      if (fault !== error.message) onFault(error);
      fault = error.message;
    }
  };
  const timer = setInterval(() => void reload(), intervalMs).unref();
  return {
    current: () => material,
    onChange: (listener) => void listeners.push(listener),
    close: () => clearInterval(timer),
  };
};
