import type { RecordStatus } from "@ikg/contracts";
import { configs } from "./configs.ts";
import { takeEffect } from "./eventually.ts";
import { freshName } from "./fresh-name.ts";
import { must } from "./must.ts";
import { retryUnavailable } from "./retry-unavailable.ts";
import type { Answer } from "./send.ts";

export interface PolicyToSave {
  readonly name?: string;
  /** An object is sent as its JSON text. */
  readonly policy: object | string;
  readonly status?: RecordStatus;
  readonly tags?: readonly string[];
}

/** Tries to save a policy. */
export const trySavePolicy = async (
  projectId: string,
  { name, policy, status, tags }: PolicyToSave,
): Promise<Answer> => {
  const answer = await configs("/authorization-policies", {
    json: {
      project_id: projectId,
      name: name ?? freshName("policy"),
      policy: typeof policy === "string" ? policy : JSON.stringify(policy),
      status: status ?? "ACTIVE",
      ...(tags === undefined ? {} : { tags }),
    },
  });
  if (answer.status === 201) await takeEffect();
  return answer;
};

/** Saves a policy and returns its id. */
export const savePolicy = async (projectId: string, policy: PolicyToSave): Promise<string> =>
  must<{ id: string }>(await retryUnavailable(() => trySavePolicy(projectId, policy)), 201).id;
