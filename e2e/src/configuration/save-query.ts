import type { NewKnowledgeQuery } from "@ikg/client";
import type { RecordStatus } from "@ikg/contracts";
import { freshName } from "../fresh-name.ts";
import { openAdmin } from "../requests/clients.ts";
import { configs } from "../requests/configs.ts";
import type { Answer } from "../requests/send.ts";
import { takeEffect } from "../take-effect.ts";

export interface QueryToSave {
  readonly name?: string;
  readonly policyId: string;
  /** An object is sent as its JSON text. */
  readonly query: object | string;
  readonly status?: RecordStatus;
}

const recordOf = ({ name, policyId, query, status }: QueryToSave): NewKnowledgeQuery => ({
  name: name ?? freshName("query"),
  policy_id: policyId,
  query: typeof query === "string" ? query : JSON.stringify(query),
  status: status ?? "ACTIVE",
});

/** Tries to save a knowledge query. */
export const trySaveQuery = async (projectId: string, query: QueryToSave): Promise<Answer> => {
  const answer = await configs("/knowledge-queries", { json: { project_id: projectId, ...recordOf(query) } });
  if (answer.status === 201) await takeEffect();
  return answer;
};

/** Saves a knowledge query that has not taken effect yet: its caller saves more and waits once. @returns its id */
export const storeQuery = async (projectId: string, query: QueryToSave): Promise<string> => {
  const { id } = await openAdmin(projectId).queries.create(recordOf(query));
  return id;
};

/** Saves a knowledge query and returns its id. */
export const saveQuery = async (projectId: string, query: QueryToSave): Promise<string> => {
  const id = await storeQuery(projectId, query);
  await takeEffect();
  return id;
};
