/** The demo's application, its agent, and the agent's key in `$IKG_HOME/demo/credential.json` (mode 600). */
import { Ikg, type IkgAdmin, IkgError } from "@ikg/client";
import { UserError } from "../../launch/user-error.mjs";
import { attempt } from "./attempt.ts";
import { ensureRecord } from "./ensure.ts";
import { readJson, writeJson } from "./keep.ts";

interface Kept {
  readonly project_id: string;
  readonly api_key: string;
}

const isKept = (value: unknown): value is Kept =>
  typeof value === "object" &&
  value !== null &&
  "project_id" in value &&
  "api_key" in value &&
  typeof value.api_key === "string";

const works = (baseUrl: string, clientKey: string): Promise<boolean> =>
  attempt(async () => {
    try {
      await new Ikg({ baseUrl, clientKey }).policies();
      return true;
    } catch (error) {
      if (error instanceof IkgError && error.code === "client_key_invalid") return false;
      throw error;
    }
  });

/** As many as an agent may have at a time. */
const maxKeys = 10;

/** The oldest goes when the agent has as many as it may have: keys that are lost are of no use. */
const newKey = async ({ agentCredentials }: IkgAdmin, agentId: string): Promise<string> => {
  const held = (await attempt(() => agentCredentials.list())).filter(
    ({ application_agent_id }) => application_agent_id === agentId,
  );
  const [oldest] = held;
  if (oldest !== undefined && held.length >= maxKeys) await attempt(() => agentCredentials.delete(oldest.id));
  const { application_agent_config: config } = await attempt(() =>
    agentCredentials.create({ application_agent_id: agentId, display_name: "Key of the demo" }),
  );
  if (config === undefined) throw new UserError("The suite created a credential and did not show its key.");
  return config.token;
};

/**
 * The key kept in `file` when it fits the project and still works; else a new one, which `file` then keeps.
 *
 * @param admin about this project
 * @returns `made`: the key is new
 */
export const openKey = async (
  baseUrl: string,
  admin: IkgAdmin,
  projectId: string,
  file: string,
): Promise<{ readonly apiKey: string; readonly made: boolean }> => {
  const kept = readJson(file);
  if (isKept(kept) && kept.project_id === projectId && (await works(baseUrl, kept.api_key)))
    return { apiKey: kept.api_key, made: false };
  const application = await ensureRecord(admin.applications, {
    name: "reading-room",
    display_name: "Reading room",
  });
  const agent = await ensureRecord(admin.agents, {
    application_id: application.id,
    name: "reading-room-backend",
    display_name: "Backend of the reading room",
    api_permissions: [
      "Authorization",
      "Capture",
      "ContXIQ",
      "ReadAuthZConfigs",
      "ReadDataSchema",
      "ReadGraph",
    ],
  });
  const apiKey = await newKey(admin, agent.id);
  writeJson(file, { project_id: projectId, application_agent_id: agent.id, api_key: apiKey });
  return { apiKey, made: true };
};
