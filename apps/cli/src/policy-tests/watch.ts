import { type FSWatcher, watch } from "node:fs";
import { dirname, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** Editors write a file in several steps. */
const quietMs = 50;

/** Tells which files have changed, as long as somebody asks. */
export interface Watcher {
  /** Looks at these files and folders from now on. */
  watch(paths: Iterable<string>): void;
  /** Waits for a change and for a moment without another one; the paths that changed. */
  changes(signal: AbortSignal): Promise<ReadonlySet<string>>;
  close(): void;
}

interface Bell {
  readonly rung: Promise<void>;
  ring(): void;
}

const bell = (): Bell => {
  let ring = (): void => undefined;
  const rung = new Promise<void>((resolve) => {
    ring = resolve;
  });
  return { rung, ring: () => ring() };
};

/** Folders are watched, not files: most editors put a new file in the place of the old one. */
export const openWatcher = (): Watcher => {
  const watchers = new Map<string, FSWatcher>();
  let changed = new Set<string>();
  let next = bell();
  const notice = (path: string): void => {
    changed.add(path);
    next.ring();
  };
  const add = (folder: string): void => {
    if (watchers.has(folder)) return;
    try {
      const watcher = watch(folder, (_, name) => notice(name === null ? folder : `${folder}${sep}${name}`));
      watcher.on("error", () => undefined);
      watchers.set(folder, watcher);
    } catch {
      // A folder that is gone is a fault of the file that names it.
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
      const aborted = bell();
      signal.addEventListener("abort", () => aborted.ring(), { once: true });
      await Promise.race([next.rung, aborted.rung]);
      for (let seen = -1; seen !== changed.size && !signal.aborted;) {
        seen = changed.size;
        await wait(quietMs);
      }
      const found = changed;
      changed = new Set();
      next = bell();
      return found;
    },
    close: () => {
      for (const watcher of watchers.values()) watcher.close();
    },
  };
};

/** Whether a change concerns something that depends on these files and folders. */
export const concerns = (dependencies: readonly string[], changed: ReadonlySet<string>): boolean =>
  dependencies.some((dependency) =>
    [...changed].some((path) => path === dependency || dirname(path) === dependency),
  );
