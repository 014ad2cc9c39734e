import { useSyncExternalStore } from "react";
import { type ImportWork, importWorks, noWork } from "./import-work.ts";

/** What is prepared in a project, and the way to change it: a change gets what there is now. */
export const useWork = (
  projectId: string,
): readonly [ImportWork, (change: (work: ImportWork) => ImportWork) => void] => {
  const work = useSyncExternalStore(importWorks.subscribe, () => importWorks.get(projectId)) ?? noWork;
  return [work, (change) => importWorks.set(projectId, change(importWorks.get(projectId) ?? noWork))];
};
