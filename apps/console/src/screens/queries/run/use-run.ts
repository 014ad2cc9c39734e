import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { objectExpected, objectOf } from "../../../text/json.ts";
import { forgetRefusedKey } from "../../../session/forget-refused-key.ts";
import { useApplicationKey } from "../../../session/use-application-key.ts";
import {
  type RowsSoFar,
  type RunCredentials,
  runQuery,
  type RunRequest,
  type RunResult,
  withFound,
} from "./execute.ts";

interface Running {
  readonly request: RunRequest;
  readonly credentials: RunCredentials;
}

/** Runs a stored query; its parameters follow into the address, and a token never does. */
export const useRun = (projectId: string, name: string, writes: boolean) => {
  const key = useApplicationKey(projectId);
  const navigate = useNavigate();
  const [token, setToken] = useState("");
  const [result, setResult] = useState<RunResult>();
  const running = useMutation({
    mutationFn: ({ request, credentials }: Running) => runQuery(request, credentials),
    onMutate: () => setResult(undefined),
    onSuccess: setResult,
    onError: (error) => forgetRefusedKey(projectId, error),
  });

  /** @returns the error of the parameters. */
  const run = (text: string): string | undefined => {
    const params = text.trim() === "" ? {} : objectOf(text);
    if (params === undefined) return objectExpected;
    if (key === undefined) return undefined;
    void navigate({
      to: "/queries/$query",
      params: { query: name },
      replace: true,
      search: { tab: "run", ...(Object.keys(params).length > 0 && { params: JSON.stringify(params) }) },
    });
    running.mutate({
      request: { name, params, writes },
      credentials: { key: key.key, token: token === "" ? undefined : token },
    });
    return undefined;
  };

  const setFound = (before: RowsSoFar, found: RowsSoFar): void =>
    setResult((current) => withFound(current, before, found));
  return { run, result, setFound, token, setToken, running, hasKey: key !== undefined };
};

export type Runner = ReturnType<typeof useRun>;
