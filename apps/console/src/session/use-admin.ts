import type { IkgAdmin } from "@ikg/client";
import { useMemo } from "react";
import operationRoles from "virtual:operation-roles";
import { adminClient, expiredClient } from "./admin-client.ts";
import { mayCall, mayCallInOrganization } from "./permissions.ts";
import { useSession } from "./use-session.ts";

/** A client with the credential of the session. The calls of an expired one end with 401. */
export const useAdmin = (project?: string): IkgAdmin => {
  const session = useSession();
  const token = session.status === "signed_in" ? session.token : undefined;
  return useMemo(
    () => (token === undefined ? expiredClient(project) : adminClient(token, project)),
    [token, project],
  );
};

/** Whether the administrator may call an operation in a project; undefined: in any one. */
export const useMay = (): ((operation: string, projectId?: string) => boolean) => {
  const session = useSession();
  return (operation, projectId) =>
    session.status !== "signed_out" && mayCall(operationRoles, session.administrator, operation, projectId);
};

/** Whether the administrator may call an operation on what belongs to the organization alone. */
export const useMayInOrganization = (): ((operation: string) => boolean) => {
  const session = useSession();
  return (operation) =>
    session.status !== "signed_out" &&
    mayCallInOrganization(operationRoles, session.administrator, operation);
};
