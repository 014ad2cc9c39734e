import { type IkgAdmin, IkgError } from "@ikg/client";
import type { ApplicationKey } from "./application-keys.ts";
import type { KeyPurpose } from "./key-purpose.ts";

/** The application that the console makes for itself, in each project once, with an agent for each purpose. */
export const consoleApplication = "console";

const lifeMs = 60 * 60 * 1_000;

const orUndefined = async <T>(promise: Promise<T>): Promise<T | undefined> => {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof IkgError && error.status === 404) return undefined;
    throw error;
  }
};

const agentId = async (admin: IkgAdmin, { agent, description, permissions }: KeyPurpose): Promise<string> => {
  const found = await orUndefined(admin.agents.get(agent));
  if (found !== undefined) return found.id;
  const application =
    (await orUndefined(admin.applications.get(consoleApplication))) ??
    (await admin.applications.create({
      name: consoleApplication,
      description: "The console, for people who use it.",
    }));
  const created = await admin.agents.create({
    application_id: application.id,
    name: agent,
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
export const createApplicationKey = async (admin: IkgAdmin, purpose: KeyPurpose): Promise<ApplicationKey> => {
  const expireTime = new Date(Date.now() + lifeMs).toISOString();
  const credential = await admin.agentCredentials.create({
    application_agent_id: await agentId(admin, purpose),
    display_name: "Console",
    expire_time: expireTime,
  });
  const key = credential.application_agent_config?.token;
  if (key === undefined) throw new Error("The response has no key.");
  return { key, made: { credentialId: credential.id, expireTime } };
};
