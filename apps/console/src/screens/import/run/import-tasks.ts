import { ObservableMap } from "../../../session/observable-map.ts";
import { sessionStore } from "../../../session/session-store.ts";
import type { ImportTask } from "./import-task.ts";

/** An import of a project, and of what it is one. */
export interface KnownTask {
  readonly task: ImportTask;
  /** Of files and mapping: others are another import. */
  readonly identity: string;
}

/** One import of each project at a time. They live as long as the session. */
export const importTasks = new ObservableMap<KnownTask>();

sessionStore.subscribe(() => {
  if (sessionStore.get().status !== "signed_out") return;
  for (const { task } of importTasks.values()) task.stop();
  importTasks.clear();
});
