import type { IkgAdmin } from "@ikg/client";
import { ifFound } from "./if-found.ts";
import type { ApplicationKey } from "./application-keys.ts";
import type { KeyPurpose } from "./key-purpose.ts";

/** The application of the console: one for each project, with an agent for each purpose. */
export const consoleApplication = "console";

const lifeMs = 60 * 60 * 1_000;

const agentId = async (admin: IkgAdmin, { agent, description, permissions }: KeyPurpose): Promise<string> => {
  const found = await ifFound(admin.agents.get(agent));
  if (found !== undefined) return found.id;
  const application =
    (await ifFound(admin.applications.get(consoleApplication))) ??
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
 * Creates a key that is valid for one hour.
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
  return { key, credential: { credentialId: credential.id, expireTime } };
};
