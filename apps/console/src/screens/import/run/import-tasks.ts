import { sessionStore } from "../../../session/session-store.ts";
import type { ImportTask } from "./import-task.ts";

/** An import of a project, and of what it is one. */
export interface KnownTask {
  readonly task: ImportTask;
  /** Of files and mapping: others are another import. */
  readonly identity: string;
}

/** One import of each project at a time. They live as long as the session. */
class ImportTasks {
  readonly #byProject = new Map<string, KnownTask>();
  readonly #listeners = new Set<() => void>();

  constructor() {
    sessionStore.subscribe(() => {
      if (sessionStore.get().status !== "signed_out") return;
      for (const { task } of this.#byProject.values()) task.stop();
      this.#byProject.clear();
      this.#announce();
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get(projectId: string): KnownTask | undefined {
    return this.#byProject.get(projectId);
  }

  set(projectId: string, task: KnownTask): void {
    this.#byProject.set(projectId, task);
    this.#announce();
  }

  delete(projectId: string): void {
    this.#byProject.delete(projectId);
    this.#announce();
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const importTasks = new ImportTasks();
