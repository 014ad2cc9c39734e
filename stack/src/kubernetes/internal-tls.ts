/** TLS between services: the suite with the component internal-tls, asked through the gateway and, past it, without a certificate. */
import { step } from "../../launch/progress.mjs";
import { fill } from "../testing/suites/authorship.ts";
import { type Authority, makeAuthority } from "../testing/servers/certificates.ts";
import { add, type Counts } from "../testing/runner/counts.ts";
import {
  describeLoad,
  failed,
  forMs,
  load,
  makeLoadProject,
  removeLoadProject,
  warm,
} from "../testing/suites/load.ts";
import { verdict } from "../testing/suites/verdict.ts";
import { services } from "../services/service-names.ts";
import { applyOverlay, restoreSuite } from "./apply-overlay.ts";
import { type Cluster, inNamespace } from "./kubectl.ts";
import type { KubernetesSession } from "./session.ts";
import { withComponent } from "./with-component.ts";

const overlay = "k8s/overlays/test";
const loadMs = 20_000;

/** The scorer serves no requests, and has no certificate. */
const certified = services.filter((name) => name !== "trust-scorer");
const behindTheGateway = certified.filter((name) => name !== "gateway");

/** A Secret for each service, as docs/operations.md has it; its certificate is for the name of its Service. */
const makeSecrets = async (cluster: Cluster, authority: Authority): Promise<void> => {
  for (const name of certified) {
    const { certificate, key } = await authority.issue(name, [`DNS:${name}`]);
    await inNamespace(
      cluster,
      ...["create", "secret", "generic", `${name}-tls`],
      ...[`--from-file=tls.crt=${certificate}`, `--from-file=tls.key=${key}`],
      `--from-file=ca.crt=${authority.ca}`,
    );
  }
};

/** What a caller in the pod of the gateway may show, and how it is answered. */
interface Answers {
  /** Without TLS. */
  readonly plain: string;
  /** By TLS, without a certificate. */
  readonly bare: string;
  /** The same, a probe. */
  readonly probe: string;
  /** With the certificate of the gateway, but without a context that it signed. */
  readonly certified: string;
}

/** Runs in a pod of the gateway, which NetworkPolicies let reach every service; prints `Answers` of a service, in JSON. */
const script = `
const [name] = process.argv.slice(1);
const { readFileSync } = require("node:fs");
const file = (each) => readFileSync("/etc/ikg-tls/" + each);
const own = { cert: file("tls.crt"), key: file("tls.key") };
const ask = (scheme, path, shown) => new Promise((resolve) => {
  const options = { ca: file("ca.crt"), timeout: 5000, agent: false, ...shown };
  require("node:" + scheme)
    .get(scheme + "://" + name + ":8080" + path, options, (answer) => {
      answer.resume().on("end", () => resolve(String(answer.statusCode)));
    })
    .on("timeout", function () { this.destroy(new Error("timeout")); })
    .on("error", (error) => resolve(error.code ?? error.message));
});
(async () => console.log(JSON.stringify({
  plain: await ask("http", "/readyz", {}),
  bare: await ask("https", "/nothing", {}),
  probe: await ask("https", "/readyz", {}),
  certified: await ask("https", "/nothing", own),
})))();
`;

const answersOf = async (cluster: Cluster, name: string): Promise<Answers> => {
  const lines = await inNamespace(
    cluster,
    ...["exec", "deployment/gateway", "--", "node", "--eval", script, name],
  );
  const line = lines.find((each) => each.startsWith("{"));
  if (line === undefined) throw new Error(`the pod of the gateway says nothing of ${name}`);
  return JSON.parse(line) as Answers; // of the script
};

/** A caller without TLS gets no answer, one without a certificate a refusal, unless it is a probe. */
const isGuarded = ({ plain, bare, probe, certified: shown }: Answers): boolean =>
  !/^\d+$/.test(plain) && bare === "503" && probe === "200" && /^4\d\d$/.test(shown);

const describe = ({ plain, bare, probe, certified: shown }: Answers): string =>
  `without TLS ${plain}, without a certificate ${bare}, a probe ${probe}, with a certificate ${shown}`;

export const checkInternalTls = async ({ cluster, environment }: KubernetesSession): Promise<Counts> => {
  const project = await makeLoadProject(environment, "internal-tls");
  const authority = await makeAuthority();
  try {
    await fill(environment, project);
    await makeSecrets(cluster, authority);
    await step("the suite with the component internal-tls", () =>
      withComponent(overlay, "internal-tls", (folder) => applyOverlay(cluster, folder)),
    );
    await step("load until nothing fails", () => warm(environment, project));
    const during = await load(environment, project, forMs(loadMs));
    const served = verdict(
      failed(during) === 0,
      `the gateway and mcp reach every service by TLS: ${describeLoad(during)}`,
    );
    const guarded: Counts[] = [];
    for (const name of behindTheGateway) {
      const answers = await answersOf(cluster, name);
      guarded.push(verdict(isGuarded(answers), `${name} past the gateway: ${describe(answers)}`));
    }
    return add(served, ...guarded);
  } finally {
    await step("the suite without it", () => restoreSuite(cluster));
    for (const name of certified) await inNamespace(cluster, "delete", "secret", `${name}-tls`);
    await warm(environment, project);
    await removeLoadProject(environment, project);
    authority.remove();
  }
};
