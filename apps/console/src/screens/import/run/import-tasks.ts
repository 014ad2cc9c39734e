import { ObservableMap } from "../../../session/observable-map.ts";
import { ownIdOf } from "../../../session/own-id.ts";
import { sessionStore } from "../../../session/session-store.ts";
import type { ImportTask } from "./import-task.ts";

/** An import of a project, and of what it is one. */
export interface KnownTask {
  readonly task: ImportTask;
  /** Of files and mapping: others are another import. */
  readonly identity: string;
}

/** One import of each project at a time. They end with the session of their administrator, whose keys they send with. */
export const importTasks = new ObservableMap<KnownTask>();

let owner = ownIdOf(sessionStore.get());

sessionStore.subscribe(() => {
  const current = ownIdOf(sessionStore.get());
  if (current === owner) return;
  owner = current;
  for (const { task } of importTasks.clear()) task.stop();
});
