import type { IkgAdmin } from "@ikg/client";
import { ifFound } from "./if-found.ts";
import type { KeyPurpose } from "./key-purpose.ts";
import { ownIdOf } from "./own-id.ts";
import { sessionStore } from "./session-store.ts";

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
 * Creates a key of a project that is valid for one hour, and keeps it in this tab. Where its administrator is not signed in any
 * more when it is created, it is removed again.
 *
 * @param admin about the project.
 * @throws IkgError, for example where ten such keys are valid already.
 */
export const createApplicationKey = async (
  admin: IkgAdmin,
  projectId: string,
  purpose: KeyPurpose,
): Promise<void> => {
  const owner = ownIdOf(sessionStore.get());
  const expireTime = new Date(Date.now() + lifeMs).toISOString();
  const credential = await admin.agentCredentials.create({
    application_agent_id: await agentId(admin, purpose),
    display_name: "Console",
    expire_time: expireTime,
  });
  const key = credential.application_agent_config?.token;
  if (key === undefined) throw new Error("The response has no key.");
  if (ownIdOf(sessionStore.get()) === owner)
    purpose.keys.set(projectId, { key, credential: { credentialId: credential.id, expireTime } });
  // Where this fails, it expires within the hour.
  else await admin.agentCredentials.delete(credential.id).catch(() => undefined);
};
