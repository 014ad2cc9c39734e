import type { NewAuthorizationPolicy } from "@ikg/client";
import type { RecordStatus } from "@ikg/contracts";
import { openAdmin } from "./clients.ts";
import { configs } from "./configs.ts";
import { takeEffect } from "./eventually.ts";
import { freshName } from "./fresh-name.ts";
import type { Answer } from "./send.ts";

export interface PolicyToSave {
  readonly name?: string;
  /** An object is sent as its JSON text. */
  readonly policy: object | string;
  readonly status?: RecordStatus;
  readonly tags?: readonly string[];
}

const recordOf = ({ name, policy, status, tags }: PolicyToSave): NewAuthorizationPolicy => ({
  name: name ?? freshName("policy"),
  policy: typeof policy === "string" ? policy : JSON.stringify(policy),
  status: status ?? "ACTIVE",
  ...(tags === undefined ? {} : { tags }),
});

/** Tries to save a policy. */
export const trySavePolicy = async (projectId: string, policy: PolicyToSave): Promise<Answer> => {
  const answer = await configs("/authorization-policies", {
    json: { project_id: projectId, ...recordOf(policy) },
  });
  if (answer.status === 201) await takeEffect();
  return answer;
};

/** Saves a policy and returns its id. */
export const savePolicy = async (projectId: string, policy: PolicyToSave): Promise<string> => {
  const { id } = await openAdmin(projectId).policies.create(recordOf(policy));
  await takeEffect();
  return id;
};
