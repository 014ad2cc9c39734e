/** Brings the film archive into a project of its own, through the public API alone. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { say, step } from "../../launch/progress.mjs";
import type { Entrance } from "../environment.ts";
import { asAgent, call } from "./api.ts";
import { ensureEndpoint, removeEndpoint } from "./endpoint.ts";
import { audience, type Issuer, issuerUrl } from "./issuer.ts";
import { openKey } from "./key.ts";
import { readJson, writeJson } from "./keep.ts";
import { nodes } from "./nodes.ts";
import { policies } from "./policies.ts";
import { profiles } from "./profiles.ts";
import { queries } from "./queries.ts";
import { ensureRecord, openRecords, type Records } from "./records.ts";
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
const batch = 250;

/** Changes whenever the demo's data or rules do. */
const edition = createHash("sha256")
  .update(JSON.stringify([nodes, relationships, policies, queries, profiles]))
  .digest("hex");

/** Replaced when the issuer's key is another one, as after the loss of `issuer.json`. True: something changed. */
const ensureIssuer = async (records: Records, projectId: string, issuer: Issuer): Promise<boolean> => {
  const collection = "token-introspects";
  const parent = { project_id: projectId };
  const [found] = await records.list(collection, parent);
  if (found !== undefined) {
    if (JSON.stringify(found).includes(JSON.stringify(issuer.publicJwk))) return false;
    // It names the issuer that goes.
    await removeEndpoint(records, projectId);
    await records.remove(collection, found.id);
  }
  await records.create(collection, {
    ...parent,
    name: "archive-login",
    display_name: "Login of the archive's staff",
    jwt_matcher: { issuer: issuerUrl, audience },
    offline_validation: { public_jwks: [issuer.publicJwk] },
    claims_mapping: {},
    ikg_node_type: "Archivist",
  });
  return true;
};

const ensureRules = async (records: Records, projectId: string): Promise<void> => {
  const parent = { project_id: projectId };
  const ids = new Map<string, string>();
  for (const { policy, ...fields } of policies) {
    const body = { ...fields, policy: JSON.stringify(policy), status: "ACTIVE", tags: [] };
    ids.set(fields.name, (await ensureRecord(records, "authorization-policies", parent, body)).id);
  }
  for (const { policy, query, ...fields } of queries) {
    const body = { ...fields, policy_id: ids.get(policy), query: JSON.stringify(query), status: "ACTIVE" };
    await ensureRecord(records, "knowledge-queries", parent, body);
  }
};

const capture = async (baseUrl: string, apiKey: string): Promise<void> => {
  const post = async (collection: "nodes" | "relationships", items: readonly unknown[]): Promise<void> => {
    for (let start = 0; start < items.length; start += batch)
      await call(baseUrl, "POST", `/capture/v1/${collection}`, asAgent(apiKey), {
        [collection]: items.slice(start, start + batch),
      });
  };
  await post("nodes", nodes);
  await post("relationships", relationships);
};

/** The project, empty or full; one of an older edition of the demo is removed first. */
const ensureProject = async (
  environment: Entrance,
  records: Records,
  loaded: unknown,
): Promise<{ readonly id: string; readonly complete: boolean }> => {
  const parent = { organization_id: environment.organization_id };
  const found = (await records.list("projects", parent)).find(({ name }) => name === projectName);
  // Written by this file, or of a shape that compares unequal.
  const { project_id, edition: had } = (loaded ?? {}) as { project_id?: unknown; edition?: unknown };
  if (found !== undefined && project_id === found.id) {
    if (had === edition) return { id: found.id, complete: true };
    say("The demo has changed since it was loaded; its project is made anew.");
    await records.remove("projects", found.id);
  } else if (found !== undefined) return { id: found.id, complete: false };
  const made = await records.create("projects", {
    ...parent,
    name: projectName,
    display_name: "Film archive",
    description: "The demo: who may do what with which reel.",
  });
  return { id: made.id, complete: false };
};

/**
 * Finds the demo's project, or loads it; both end with a key that works.
 *
 * @param folder `$IKG_HOME/demo`
 * @param again loads it even though it was loaded before: what is missing or different comes back
 * @throws Refusal with the service's own words when the API refuses something
 */
export const loadDemo = async (
  environment: Entrance,
  folder: string,
  issuer: Issuer,
  { again = false } = {},
): Promise<Demo> => {
  const { base_url } = environment;
  const records = openRecords(environment);
  const file = join(folder, "loaded.json");
  const { project, apiKey, changed } = await step(
    "demo: project, application, agent, key, token issuer, MCP endpoint",
    async () => {
      const project = await ensureProject(environment, records, readJson(file));
      const { apiKey, made } = await openKey(base_url, records, project.id, join(folder, "credential.json"));
      const issuerChanged = await ensureIssuer(records, project.id, issuer);
      const endpointMade = await ensureEndpoint(records, project.id);
      return { project, apiKey, changed: made || issuerChanged || endpointMade };
    },
    ({ project }) =>
      project.complete ? `demo: project ${projectName} found` : `demo: project ${projectName}`,
  );
  if (project.complete && !again) return { projectId: project.id, apiKey, changed, loaded: false };
  await step(`demo: ${policies.length} policies, ${queries.length} queries`, () =>
    ensureRules(records, project.id),
  );
  await step(`demo: ${nodes.length} nodes, ${relationships.length} relationships`, () =>
    capture(base_url, apiKey),
  );
  await step("demo: trust scores", () => ensureScores(records, project.id));
  writeJson(file, { project_id: project.id, edition });
  return { projectId: project.id, apiKey, changed: true, loaded: true };
};
