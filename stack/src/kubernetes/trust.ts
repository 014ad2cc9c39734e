/** Pods with the component private-ca trust an issuer whose certificate comes from an authority of one's own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseAllDocuments } from "yaml";
import { step } from "../../launch/progress.mjs";
import { asAgent, openAdmin } from "../clients.ts";
import type { Environment } from "../environment.ts";
import { author, fill, mayRead, own } from "../testing/suites/authorship.ts";
import type { Counts } from "../testing/runner/counts.ts";
import { type LoadProject, makeLoadProject, removeLoadProject, warm } from "../testing/suites/load.ts";
import { type PrivateIssuer, startPrivateIssuer } from "../testing/servers/private-issuer.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { type Cluster, inNamespace, kubectl } from "./kubectl.ts";
import type { ClusterObject } from "./network.ts";
import { type KubernetesSession, untilRolledOut } from "./session.ts";
import { withComponent } from "./with-component.ts";

const overlay = "k8s/overlays/test";
/** A record takes effect within two seconds. */
const effectMs = 3_000;

/** Gives the pods of access what the component gives to all, as an operator applies it, and waits until the former ones are gone. */
const applyToAccess = (cluster: Cluster): Promise<void> =>
  withComponent(overlay, "private-ca", async (folder) => {
    const label = "--selector=app.kubernetes.io/name=access";
    const former = await inNamespace(cluster, "get", "pods", label, "--output=name");
    const text = (await kubectl(cluster, "kustomize", folder)).join("\n");
    // Kustomize has rendered it.
    const objects = parseAllDocuments(text).map((document) => document.toJS() as ClusterObject);
    const access = objects.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === "access");
    const scratch = mkdtempSync(join(tmpdir(), "ikg-access-"));
    try {
      const file = join(scratch, "access.json");
      writeFileSync(file, JSON.stringify(access));
      await kubectl(cluster, "apply", "--filename", file);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
    await untilRolledOut(cluster, "deployment/access");
    // They still answer while they drain.
    await inNamespace(cluster, "wait", "--for=delete", "--timeout=120s", ...former);
  });

/** The status of a decision for the bearer of a token of that issuer. */
const decide = async (
  { base_url }: Environment,
  { apiKey }: LoadProject,
  issuer: PrivateIssuer,
): Promise<number> => {
  const headers = asAgent(apiKey, await issuer.sign(author.external_id));
  const answer = await fetch(`${base_url}/access/v1/evaluation`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(mayRead(own)),
    signal: AbortSignal.timeout(30_000),
  });
  await answer.arrayBuffer();
  return answer.status;
};

export const checkTrust = async ({ cluster, environment, testHost }: KubernetesSession): Promise<Counts> => {
  const issuer = await startPrivateIssuer(testHost);
  const project = await makeLoadProject(environment, "private-ca");
  try {
    await fill(environment, project);
    await openAdmin(environment).introspects.create({
      name: "private-ca",
      project_id: project.id,
      jwt_matcher: { issuer: issuer.issuer, audience: issuer.audience },
      ikg_node_type: author.type,
    });
    await delay(effectMs);
    const before = await decide(environment, project, issuer);
    const refused = issuer.requests();
    await inNamespace(cluster, "create", "configmap", "ikg-ca", `--from-file=ca.crt=${issuer.authority}`);
    await step("access with the component private-ca", () => applyToAccess(cluster));
    await warm(environment, project);
    const after = await decide(environment, project, issuer);
    return verdict(
      before !== 200 && refused === 0 && after === 200 && issuer.requests() > 0,
      `a pod with private-ca trusts an issuer of a private authority: ${before} and ${refused} requests to it before, ${after} and ${issuer.requests()} with it`,
    );
  } finally {
    await kubectl(cluster, "apply", "--kustomize", overlay);
    await untilRolledOut(cluster, "deployment/access");
    await removeLoadProject(environment, project);
    await issuer.close();
  }
};
