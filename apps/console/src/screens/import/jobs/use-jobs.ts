import { Ikg, IkgError } from "@ikg/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { baseUrl } from "../../../session/base-url.ts";
import { importPurpose } from "../../../session/key-purpose.ts";
import { useApplicationKey } from "../../../session/use-application-key.ts";

const movingMs = 2_000;
const restingMs = 30_000;

export const hasEnded = (status: string): boolean => ["done", "cancelled", "failed"].includes(status);

/** The newest import jobs of the project, from every client; they are read with the key that imports. */
export const useJobs = (projectId: string) => {
  const key = useApplicationKey(projectId, importPurpose);
  const client = useQueryClient();
  const ikg = useMemo(
    () =>
      key === undefined ? undefined : new Ikg({ baseUrl: baseUrl(), clientKey: key.key, timeoutMs: 30_000 }),
    [key],
  );
  const queryKey = ["imports", projectId];
  const jobs = useQuery({
    queryKey,
    enabled: ikg !== undefined,
    queryFn: ({ signal }) => ikg?.capture.imports({ signal }) ?? [],
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => !hasEnded(status)) === true ? movingMs : restingMs,
  });
  const { error } = jobs;
  useEffect(() => {
    if (error instanceof IkgError && error.code === "client_key_invalid")
      importPurpose.keys.delete(projectId);
  }, [error, projectId]);
  const cancel = useMutation({
    mutationFn: async (id: string) => ikg?.capture.job(id).cancel(),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  const rejectedText = async (id: string): Promise<string> => {
    let text = "";
    for await (const line of ikg?.capture.job(id).rejected() ?? []) text += `${JSON.stringify(line)}\n`;
    return text;
  };
  return { hasKey: ikg !== undefined, jobs, cancel, rejectedText };
};
