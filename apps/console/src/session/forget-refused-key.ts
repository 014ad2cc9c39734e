import { IkgError } from "@ikg/client";
import { applicationKeys } from "./application-keys.ts";

/** Forgets the key of a project when the gateway does not accept it: the screens ask for another one. */
export const forgetRefusedKey = (projectId: string, error: unknown): void => {
  if (error instanceof IkgError && error.code === "client_key_invalid") applicationKeys.delete(projectId);
};
