import { type FSWatcher, watch } from "node:fs";
import { dirname, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createDeferred } from "../deferred.ts";

/** Editors write a file in several steps, which are reported as one change. */
const quietMs = 50;

/** Reports changes of files. */
export interface Watcher {
  /** Sets the watched files and folders. */
  watch(paths: Iterable<string>): void;
  /** Waits for a change, followed by a moment without changes, or for an abort. @returns the changed paths */
  changes(signal: AbortSignal): Promise<ReadonlySet<string>>;
  close(): void;
}

/** Watches folders instead of files, because most editors replace a file by a new one. */
export const openWatcher = (): Watcher => {
  const watchers = new Map<string, FSWatcher>();
  let changed = new Set<string>();
  let next = createDeferred<void>();
  const notice = (path: string): void => {
    changed.add(path);
    next.resolve();
  };
  const add = (folder: string): void => {
    if (watchers.has(folder)) return;
    try {
      const watcher = watch(folder, (_, name) => notice(name === null ? folder : `${folder}${sep}${name}`));
      watcher.on("error", () => undefined);
      watchers.set(folder, watcher);
    } catch {
      // A missing folder is reported as an error of the file that refers to it.
    }
  };
  return {
    watch: (paths) => {
      for (const path of paths) {
        add(dirname(path));
        add(path);
      }
    },
    changes: async (signal) => {
      const aborted = createDeferred<void>();
      const abort = (): void => aborted.resolve();
      if (signal.aborted) abort();
      else signal.addEventListener("abort", abort, { once: true });
      await Promise.race([next.promise, aborted.promise]);
      signal.removeEventListener("abort", abort);
      for (let seen = -1; seen !== changed.size && !signal.aborted;) {
        seen = changed.size;
        await wait(quietMs);
      }
      const found = changed;
      changed = new Set();
      next = createDeferred<void>();
      return found;
    },
    close: () => {
      for (const watcher of watchers.values()) watcher.close();
    },
  };
};

/** Whether a change affects these files and folders. */
export const concerns = (dependencies: readonly string[], changed: ReadonlySet<string>): boolean =>
  dependencies.some((dependency) =>
    [...changed].some((path) => path === dependency || dirname(path) === dependency),
  );
