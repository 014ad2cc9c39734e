/** The demo's application, its agent, and the agent's key in `$IKG_HOME/demo/credential.json` (mode 600). */
import { asAgent, send } from "./api.ts";
import { readJson, writeJson } from "./keep.ts";
import { ensureRecord, type Records } from "./records.ts";

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

/** A key that is known answers a request without a body by 400, any other one by 401. */
const works = async (baseUrl: string, apiKey: string): Promise<boolean> => {
  const { status } = await send(baseUrl, "POST", "/access/v1/evaluation", asAgent(apiKey), {});
  return status !== 401;
};

/** As many as an agent may have at a time. */
const maxKeys = 10;

/** The oldest goes when the agent has as many as it may have: keys that are lost are of no use to anybody. */
const newKey = async (records: Records, projectId: string, agentId: string): Promise<string> => {
  const collection = "application-agent-credentials";
  const held = (await records.list(collection, { project_id: projectId })).filter(
    ({ application_agent_id }) => application_agent_id === agentId,
  );
  const [oldest] = held;
  if (oldest !== undefined && held.length >= maxKeys) await records.remove(collection, oldest.id);
  const made = await records.create(collection, {
    application_agent_id: agentId,
    display_name: "Key of the demo",
  });
  // The credential JSON that a creation answers once.
  return (made["application_agent_config"] as { token: string }).token;
};

/**
 * The key kept in `file` when it fits the project and still works; else a new one, which `file` then keeps.
 *
 * @returns `made`: the key is new
 */
export const openKey = async (
  baseUrl: string,
  records: Records,
  projectId: string,
  file: string,
): Promise<{ readonly apiKey: string; readonly made: boolean }> => {
  const kept = readJson(file);
  if (isKept(kept) && kept.project_id === projectId && (await works(baseUrl, kept.api_key)))
    return { apiKey: kept.api_key, made: false };
  const parent = { project_id: projectId };
  const application = await ensureRecord(records, "applications", parent, {
    name: "reading-room",
    display_name: "Reading room",
  });
  const agents = await records.list("application-agents", parent);
  const agent =
    agents.find(({ name }) => name === "reading-room-backend") ??
    (await records.create("application-agents", {
      application_id: application.id,
      name: "reading-room-backend",
      display_name: "Backend of the reading room",
      api_permissions: [
        "Authorization",
        "Capture",
        "ContXIQ",
        "ReadAuthZConfigs",
        "ReadDataSchema",
        "IKGRead",
      ],
    }));
  const apiKey = await newKey(records, projectId, agent.id);
  writeJson(file, { project_id: projectId, application_agent_id: agent.id, api_key: apiKey });
  return { apiKey, made: true };
};
