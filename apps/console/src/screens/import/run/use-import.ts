import { Ikg, IkgError } from "@ikg/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { baseUrl } from "../../../session/base-url.ts";
import type { ApplicationKey } from "../../../session/application-keys.ts";
import { importPurpose } from "../../../session/key-purpose.ts";
import { useApplicationKey } from "../../../session/use-application-key.ts";
import { identityOf, planOf } from "../preview/use-preview.ts";
import type { ImportWork } from "../work/import-work.ts";
import { ImportTask, type ImportView } from "./import-task.ts";
import { importTasks } from "./import-tasks.ts";

const none = (): (() => void) => () => undefined;
const noView = (): ImportView | undefined => undefined;

/** The import of a project: of what is prepared, or of what was prepared before. */
export const useImport = (projectId: string, work: ImportWork) => {
  const key = useApplicationKey(projectId, importPurpose);
  const known = useSyncExternalStore(importTasks.subscribe, () => importTasks.get(projectId));
  const view = useSyncExternalStore(known?.task.subscribe ?? none, known?.task.view ?? noView);
  const client = useQueryClient();
  const run = async (task: ImportTask, { key: clientKey }: ApplicationKey): Promise<void> => {
    await task.run(new Ikg({ baseUrl: baseUrl(), clientKey }));
    // The jobs, and what the graph holds.
    void client.invalidateQueries();
    const { error } = task.view();
    if (error instanceof IkgError && error.code === "client_key_invalid")
      importPurpose.keys.delete(projectId);
  };
  const [isStarting, setStarting] = useState(false);
  const start = async (): Promise<void> => {
    setStarting(true);
    try {
      await begin();
    } finally {
      setStarting(false);
    }
  };
  const begin = async (): Promise<void> => {
    const sizes = work.files.map(({ size }) => size);
    const task = new ImportTask(await planOf(work.files, work.sections), sizes);
    // As it is now: signing out while the files were opened has removed it.
    const current = importPurpose.keys.get(projectId);
    if (current === undefined) return;
    importTasks.set(projectId, { task, identity: identityOf(work) });
    await run(task, current);
  };
  return {
    hasKey: key !== undefined,
    view,
    /** The files are opened: a second click would begin a second import. */
    isStarting,
    isOfWork: known?.identity === identityOf(work),
    start,
    resume: () => known && key && void run(known.task, key),
    stop: () => known?.task.stop(),
    forget: () => importTasks.delete(projectId),
    rejectedText: () => known?.task.rejectedText() ?? new Blob(),
  };
};
