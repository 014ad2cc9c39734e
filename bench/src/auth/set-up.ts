/** Two projects through the public API: one that callers use, one that holds a thousand policies. */
import { openAdmin } from "../clients.ts";
import { type Agent, makeAgent, makeProject } from "../project.ts";
import type { Target } from "../settings.ts";
import { claimsMapping, type Issuer } from "./issuer.ts";
import { listPlan } from "./plan.ts";

const parallel = 8;
const kinds = 10;

const policyOf = (kind: number) => ({
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["READ"],
  resource: { type: `Document${kind}` },
  condition: {
    cypher:
      `MATCH (subject:Person)-[:OWNS]->(resource:Document${kind}) ` +
      "WHERE resource.property.level <= subject.property.clearance",
  },
});

/** Where callers come with a key and bearers of an issuer whose key is registered. */
export const makeCallersProject = async (
  target: Target,
  issuer: Issuer,
  created: (projectId: string) => void,
): Promise<{ readonly id: string; readonly agent: Agent }> => {
  const id = await makeProject(target, "callers");
  created(id);
  const agent = await makeAgent(target, id, ["Authorization"]);
  await openAdmin(target, id).introspects.create({
    name: "bench",
    jwt_matcher: { issuer: issuer.issuer, audience: issuer.audience },
    offline_validation: { public_jwks: [JSON.stringify(issuer.jwk)] },
    claims_mapping: claimsMapping,
    ikg_node_type: "Person",
  });
  return { id, agent };
};

export const makeListProject = async (
  target: Target,
  created: (projectId: string) => void,
): Promise<string> => {
  const id = await makeProject(target, "policies");
  created(id);
  const { policies } = openAdmin(target, id);
  let made = 0;
  const maker = async (): Promise<void> => {
    while (made < listPlan.policies) {
      const n = ++made;
      await policies.create({
        name: `policy-${n}`,
        display_name: `Policy ${n}`,
        description: `Who owns document ${n} may read it as far as her clearance goes.`,
        policy: policyOf(n % kinds),
        // A draft is never planned; a list shows it like any other.
        status: "DRAFT",
        tags: ["bench", `kind-${n % kinds}`],
      });
    }
  };
  await Promise.all(Array.from({ length: parallel }, maker));
  return id;
};
