import { type IkgAdmin, IkgError } from "@ikg/client";
import type { ApplicationKey } from "./application-keys.ts";

/** The application and the agent that the console makes for itself, in each project once. */
export const consoleApplication = "console";

const permissions = ["Authorization", "ContXIQ", "ReadAuthZConfigs", "ReadDataSchema"] as const;
const lifeMs = 60 * 60 * 1_000;

const orUndefined = async <T>(promise: Promise<T>): Promise<T | undefined> => {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof IkgError && error.status === 404) return undefined;
    throw error;
  }
};

const agentId = async (admin: IkgAdmin): Promise<string> => {
  const found = await orUndefined(admin.agents.get(consoleApplication));
  if (found !== undefined) return found.id;
  const description = "Asks questions for people who use the console; its keys last an hour.";
  const application =
    (await orUndefined(admin.applications.get(consoleApplication))) ??
    (await admin.applications.create({ name: consoleApplication, description }));
  const created = await admin.agents.create({
    application_id: application.id,
    name: consoleApplication,
    description,
    api_permissions: [...permissions],
  });
  return created.id;
};

/**
 * Makes a key that lasts an hour.
 *
 * @param admin about the project.
 * @throws IkgError, for example where ten such keys are valid already.
 */
export const makeApplicationKey = async (admin: IkgAdmin): Promise<ApplicationKey> => {
  const expireTime = new Date(Date.now() + lifeMs).toISOString();
  const credential = await admin.agentCredentials.create({
    application_agent_id: await agentId(admin),
    display_name: "Console",
    expire_time: expireTime,
  });
  const key = credential.application_agent_config?.token;
  if (key === undefined) throw new Error("the key of the new credential was not shown");
  return { key, made: { credentialId: credential.id, expireTime } };
};
