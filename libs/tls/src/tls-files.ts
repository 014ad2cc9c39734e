import { isDeepStrictEqual } from "node:util";
import { readTlsFiles, TlsFileError, type TlsMaterial, type TlsPaths } from "./read-tls-files.ts";

export { type TlsFile, TlsFileError, type TlsMaterial, type TlsPaths } from "./read-tls-files.ts";

/** Time between two looks at the files. A mounted Secret changes by a link, which no watcher of files reports. */
const lookMs = 10_000;

export interface TlsFilesParts {
  readonly paths: TlsPaths;
  /** Called once for files that cannot be used; what was read before is used on. */
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
 * Reads the files, and again while the process runs. New files count when all of them fit together.
 *
 * @throws TlsFileError for files that cannot be used at the start.
 */
export const openTlsFiles = async ({
  paths,
  onFault,
  intervalMs = lookMs,
}: TlsFilesParts): Promise<TlsFiles> => {
  let material = await readTlsFiles(paths);
  let fault = "";
  const listeners: ((material: TlsMaterial) => void)[] = [];
  const look = async (): Promise<void> => {
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
  const timer = setInterval(() => void look(), intervalMs).unref();
  return {
    current: () => material,
    onChange: (listener) => void listeners.push(listener),
    close: () => clearInterval(timer),
  };
};
