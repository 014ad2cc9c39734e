import { useSyncExternalStore } from "react";
import type { ApplicationKey } from "./application-keys.ts";
import { type KeyPurpose, requestPurpose } from "./key-purpose.ts";

/** The key by which this tab asks the data plane of a project. */
export const useApplicationKey = (
  projectId: string,
  { keys }: KeyPurpose = requestPurpose,
): ApplicationKey | undefined => useSyncExternalStore(keys.subscribe, () => keys.get(projectId));
