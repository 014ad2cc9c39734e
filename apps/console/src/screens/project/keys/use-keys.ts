import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useAdmin } from "../../../session/use-admin.ts";
import { recordsKey, useRecordsChanged } from "../records/use-records.ts";
import type { NewCredential, NewKey } from "./new-key-dialog.tsx";

/** Keys of every agent of the project, without the keys. */
export const useKeys = (projectId: string) => {
  const admin = useAdmin(projectId);
  return useQuery({
    queryKey: recordsKey(projectId, "keys"),
    queryFn: ({ signal }) => admin.agentCredentials.list({ signal }),
  });
};

/** Creates a key of an agent. */
export const useCreateKey = (projectId: string, agentId: string) => {
  const admin = useAdmin(projectId);
  const changed = useRecordsChanged(projectId);
  return async (fields: NewKey): Promise<NewCredential> => {
    const credential = await admin.agentCredentials.create({ application_agent_id: agentId, ...fields });
    const file = credential.application_agent_config;
    if (file === undefined) throw new Error("The response has no key.");
    void changed();
    return { secret: file.token, file };
  };
};

export const useRemoveKey = (projectId: string) => {
  const admin = useAdmin(projectId);
  const changed = useRecordsChanged(projectId);
  return useCallback(
    async ({ id }: { readonly id: string }): Promise<void> => {
      await admin.agentCredentials.delete(id);
      await changed();
    },
    // `changed` is about the same project.
    [admin, projectId],
  );
};
