import type { RecordStatus } from "@ikg/contracts";
import { configs } from "./configs.ts";
import { takeEffect } from "./eventually.ts";
import { freshName } from "./fresh-name.ts";
import { must } from "./must.ts";
import { retryUnavailable } from "./retry-unavailable.ts";
import type { Answer } from "./send.ts";

export interface QueryToSave {
  readonly name?: string;
  readonly policyId: string;
  /** An object is sent as its JSON text. */
  readonly query: object | string;
  readonly status?: RecordStatus;
}

/** Tries to save a knowledge query. */
export const trySaveQuery = async (
  projectId: string,
  { name, policyId, query, status }: QueryToSave,
): Promise<Answer> => {
  const answer = await configs("/knowledge-queries", {
    json: {
      project_id: projectId,
      name: name ?? freshName("query"),
      policy_id: policyId,
      query: typeof query === "string" ? query : JSON.stringify(query),
      status: status ?? "ACTIVE",
    },
  });
  if (answer.status === 201) await takeEffect();
  return answer;
};

/** Saves a knowledge query and returns its id. */
export const saveQuery = async (projectId: string, query: QueryToSave): Promise<string> =>
  must<{ id: string }>(await retryUnavailable(() => trySaveQuery(projectId, query)), 201).id;
