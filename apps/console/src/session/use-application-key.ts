import { useSyncExternalStore } from "react";
import { type ApplicationKey, applicationKeys } from "./application-keys.ts";

/** The key by which this tab asks the data plane of a project. */
export const useApplicationKey = (projectId: string): ApplicationKey | undefined =>
  useSyncExternalStore(applicationKeys.subscribe, () => applicationKeys.get(projectId));
