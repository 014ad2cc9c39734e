/** Brings the film archive into a project of its own, through the public API alone. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { Ikg, IkgAdmin } from "@ikg/client";
import { say, step } from "../../launch/progress.mjs";
import type { ClientEnvironment } from "../environment.ts";
import { attempt } from "./attempt.ts";
import { ensureEndpoint, removeEndpoint } from "./endpoint.ts";
import { ensureRecord } from "./ensure.ts";
import { audience, type Issuer, issuerUrl } from "./issuer.ts";
import { openKey } from "./key.ts";
import { readJson, writeJson } from "./keep.ts";
import { nodes } from "./nodes.ts";
import { policies } from "./policies.ts";
import { profiles } from "./profiles.ts";
import { queries } from "./queries.ts";
import { relationships } from "./relationships.ts";
import { ensureScores } from "./score.ts";

export interface Demo {
  readonly projectId: string;
  /** for X-SVC-ClientKey */
  readonly apiKey: string;
  /** something was written just now, which other processes may take up to two seconds to see */
  readonly changed: boolean;
  /** all of its data was written just now */
  readonly loaded: boolean;
}

const projectName = "film-archive";

/** Changes whenever the demo's data or rules do. */
const edition = createHash("sha256")
  .update(JSON.stringify([nodes, relationships, policies, queries, profiles]))
  .digest("hex");

/** Replaced when the issuer's key is another one, as after the loss of `issuer.json`. True: something changed. */
const ensureIssuer = async (admin: IkgAdmin, issuer: Issuer): Promise<boolean> => {
  const [found] = await attempt(() => admin.introspects.list());
  if (found !== undefined) {
    if (JSON.stringify(found).includes(JSON.stringify(issuer.publicJwk))) return false;
    // It names the issuer that goes.
    await removeEndpoint(admin);
    await attempt(() => admin.introspects.delete(found.id));
  }
  await attempt(() =>
    admin.introspects.create({
      name: "archive-login",
      display_name: "Login of the archive's staff",
      jwt_matcher: { issuer: issuerUrl, audience },
      offline_validation: { public_jwks: [issuer.publicJwk] },
      claims_mapping: {},
      ikg_node_type: "Archivist",
    }),
  );
  return true;
};

const ensureRules = async (admin: IkgAdmin): Promise<void> => {
  const ids = new Map<string, string>();
  for (const policy of policies) {
    const { id } = await ensureRecord(admin.policies, { ...policy, status: "ACTIVE", tags: [] });
    ids.set(policy.name, id);
  }
  for (const { policy, ...fields } of queries) {
    const policyId = ids.get(policy) ?? "";
    await ensureRecord(admin.queries, { ...fields, policy_id: policyId, status: "ACTIVE" });
  }
};

const capture = async (baseUrl: string, clientKey: string): Promise<void> => {
  const ikg = new Ikg({ baseUrl, clientKey, timeoutMs: 40_000 });
  await attempt(() => ikg.capture.nodes(nodes));
  await attempt(() => ikg.capture.relationships(relationships));
};

/** The project, empty or full; one of an older edition of the demo is removed first. */
const ensureProject = async (
  { projects }: IkgAdmin,
  loaded: unknown,
): Promise<{ readonly id: string; readonly complete: boolean }> => {
  const found = (await attempt(() => projects.list())).find(({ name }) => name === projectName);
  // Written by this file, or of a shape that compares unequal.
  const { project_id, edition: had } = (loaded ?? {}) as { project_id?: unknown; edition?: unknown };
  if (found !== undefined && project_id === found.id) {
    if (had === edition) return { id: found.id, complete: true };
    say("The demo has changed since it was loaded; its project is made anew.");
    await attempt(() => projects.delete(found.id));
  } else if (found !== undefined) return { id: found.id, complete: false };
  const made = await attempt(() =>
    projects.create({
      name: projectName,
      display_name: "Film archive",
      description: "The demo: who may do what with which reel.",
    }),
  );
  return { id: made.id, complete: false };
};

const adminOf = ({ base_url, service_account_token }: ClientEnvironment, project?: string): IkgAdmin =>
  new IkgAdmin({ baseUrl: base_url, token: service_account_token, project, timeoutMs: 40_000 });

/**
 * Finds the demo's project, or loads it; both end with a key that works.
 *
 * @param folder `$IKG_HOME/demo`
 * @param again loads it even though it was loaded before: what is missing or different comes back
 * @throws UserError with the service's own words when the API refuses something
 */
export const loadDemo = async (
  environment: ClientEnvironment,
  folder: string,
  issuer: Issuer,
  { again = false } = {},
): Promise<Demo> => {
  const { base_url } = environment;
  const file = join(folder, "loaded.json");
  const { project, admin, apiKey, changed } = await step(
    "demo: project, application, agent, key, token issuer, MCP endpoint",
    async () => {
      const project = await ensureProject(adminOf(environment), readJson(file));
      const admin = adminOf(environment, project.id);
      const { apiKey, made } = await openKey(base_url, admin, project.id, join(folder, "credential.json"));
      const issuerChanged = await ensureIssuer(admin, issuer);
      const endpointMade = await ensureEndpoint(admin);
      return { project, admin, apiKey, changed: made || issuerChanged || endpointMade };
    },
    ({ project }) =>
      project.complete ? `demo: project ${projectName} found` : `demo: project ${projectName}`,
  );
  if (project.complete && !again) return { projectId: project.id, apiKey, changed, loaded: false };
  await step(`demo: ${policies.length} policies, ${queries.length} queries`, () => ensureRules(admin));
  await step(`demo: ${nodes.length} nodes, ${relationships.length} relationships`, () =>
    capture(base_url, apiKey),
  );
  await step("demo: trust scores", () => ensureScores(admin));
  writeJson(file, { project_id: project.id, edition });
  return { projectId: project.id, apiKey, changed: true, loaded: true };
};
