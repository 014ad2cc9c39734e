/** A project in which a decision is granted, with as many policies as `ikg plan` compares. */
import type { ChangeSetEntry } from "@ikg/client";
import { captureGraph } from "../capture-graph.ts";
import { openAdmin } from "../clients.ts";
import { agentPermissions, makeAgent, makeProject } from "../project.ts";
import type { Target } from "../settings.ts";
import { plan } from "./plan.ts";

const policyOf = (action: string) => ({
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Pilot" },
  actions: [action],
  resource: { type: "Aircraft" },
  condition: { cypher: "MATCH (subject)-[:RATED_FOR]->(resource)" },
});

const changes = (): readonly ChangeSetEntry[] =>
  Array.from({ length: plan.records }, (_, at) => ({
    op: "put" as const,
    collection: "authorization-policies" as const,
    name: `policy-${at}`,
    record: { policy: policyOf(at === 0 ? "FLY" : `ACTION_${at}`), status: "ACTIVE" },
  }));

/** Changes of one change set at most. */
const atOnce = 100;

/** Variables of `ikg` for the project. */
export const setUp = async (
  target: Target,
  created: (projectId: string) => void,
): Promise<Readonly<Record<string, string>>> => {
  const id = await makeProject(target, "cli");
  created(id);
  const { apiKey } = await makeAgent(target, id, agentPermissions);
  const admin = openAdmin(target, id);
  const all = changes();
  for (let from = 0; from < all.length; from += atOnce)
    await admin.changes.apply(all.slice(from, from + atOnce));
  const [pilot, aircraft] = [
    { type: "Pilot", external_id: "amelia" },
    { type: "Aircraft", external_id: "N211" },
  ];
  await captureGraph(target, apiKey, {
    nodes: [{ ...pilot, is_identity: true }, aircraft],
    relationships: [{ source: pilot, type: "RATED_FOR", target: aircraft }],
  });
  return {
    IKG_URL: target.gateway,
    IKG_TOKEN: target.serviceAccountToken,
    IKG_CLIENT_KEY: apiKey,
    IKG_PROJECT: id,
  };
};
