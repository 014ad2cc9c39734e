import { openAdmin } from "../../connection/clients.ts";
import type { CommandModule } from "../../program/command-module.ts";

/** `ikg agents list`: agents with their applications and number of keys. */
export const command: CommandModule = {
  examples: [{ purpose: "List the agents of the project", command: "ikg agents list" }],
  run: async (invocation) => {
    const admin = await openAdmin(invocation);
    const [applications, agents, keys] = await Promise.all([
      admin.applications.list(),
      admin.agents.list(),
      admin.agentCredentials.list(),
    ]);
    const names = new Map(applications.map(({ id, name }) => [id, name]));
    const rows = agents.map((agent) => ({
      name: agent.name,
      application: names.get(agent.application_id) ?? agent.application_id,
      permissions: agent.api_permissions,
      keys: keys.filter(({ application_agent_id }) => application_agent_id === agent.id).length,
      id: agent.id,
    }));
    await invocation.print.rows(
      rows,
      [
        { header: "NAME", value: ({ name }) => name, whole: true },
        { header: "APPLICATION", value: ({ application }) => application },
        { header: "KEYS", value: ({ keys }) => keys },
        { header: "PERMISSIONS", value: ({ permissions }) => permissions.join(" ") },
      ],
      { none: "No agents; create one with ikg agents create." },
    );
  },
};
