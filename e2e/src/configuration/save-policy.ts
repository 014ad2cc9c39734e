import type { NewAuthorizationPolicy } from "@ikg/client";
import type { RecordStatus } from "@ikg/contracts";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { freshName } from "../fresh-name.ts";
import { openAdmin } from "../requests/clients.ts";
import { configs } from "../requests/configs.ts";
import type { Answer } from "../requests/send.ts";
import { takeEffect } from "../take-effect.ts";

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

const tryStorePolicy = (projectId: string, policy: PolicyToSave): Promise<Answer> =>
  configs("/authorization-policies", { json: { project_id: projectId, ...recordOf(policy) } });

/** Tries to save a policy. */
export const trySavePolicy = async (projectId: string, policy: PolicyToSave): Promise<Answer> => {
  const answer = await tryStorePolicy(projectId, policy);
  if (answer.status === 201) await takeEffect();
  return answer;
};

/** Tries to save policies, a few at a time. @returns the answers in order, when those that are saved have taken effect */
export const trySavePolicies = async (
  projectId: string,
  policies: readonly PolicyToSave[],
): Promise<readonly Answer[]> => {
  const answers = await inParallel(policies, (policy) => tryStorePolicy(projectId, policy));
  if (answers.some(({ status }) => status === 201)) await takeEffect();
  return answers;
};

/** Saves a policy that has not taken effect yet: its caller saves more and waits once. @returns its id */
export const storePolicy = async (projectId: string, policy: PolicyToSave): Promise<string> => {
  const { id } = await openAdmin(projectId).policies.create(recordOf(policy));
  return id;
};

/** Saves a policy and returns its id. */
export const savePolicy = async (projectId: string, policy: PolicyToSave): Promise<string> => {
  const id = await storePolicy(projectId, policy);
  await takeEffect();
  return id;
};

/** Saves policies in this order, which is that of lists, and waits once. */
export const savePolicies = async (projectId: string, policies: readonly PolicyToSave[]): Promise<void> => {
  for (const policy of policies) await storePolicy(projectId, policy);
  await takeEffect();
};
