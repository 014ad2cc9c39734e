/** The suite on compose behind nginx on the same machine, as docs/operations.md puts both together. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { step } from "../../launch/progress.mjs";
import { Refusal } from "../../launch/refusal.mjs";
import { freePort, isOpen } from "../ports.ts";
import { becomes } from "../testing/becomes.ts";
import { checkBehindProxy } from "../testing/behind-proxy.ts";
import { makeAuthority } from "../testing/certificates.ts";
import type { Counts } from "../testing/counts.ts";
import { documentedCommands } from "../testing/documented-commands.ts";
import { nginxArgs, nginxFolder, type NginxSettings, writeNginxFiles } from "../testing/nginx.ts";
import { proxySettings, type ProxySettings, variablesIn } from "../testing/proxied-suite.ts";
import type { ProxyEntry } from "../testing/proxy-client.ts";
import { ownerLabel } from "./abandoned.ts";
import { type ComposeProject, compose, composeUp, docker, runAsOperator } from "./compose.ts";
import { prepareNginx } from "./nginx-image.ts";
import type { ContainerSession } from "./session.ts";

const listensWithinMs = 20_000;

/** What the documented commands write into `.env`. */
const documentedSettings = async (project: ComposeProject): Promise<ProxySettings> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-proxy-settings-"));
  try {
    const script = `cd "$1"\n${documentedCommands("behind a proxy on compose")}`;
    await runAsOperator(project, "settings behind a proxy", "-euc", script, "sh", folder);
    return proxySettings(variablesIn(readFileSync(join(folder, ".env"), "utf8").split("\n")));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Runs nginx on the network of this machine, where it reaches the port of the gateway, for `work`. */
const withNginx = async (
  { project, testHost }: ContainerSession,
  host: string,
  work: (entry: ProxyEntry) => Promise<Counts>,
): Promise<Counts> => {
  const image = await prepareNginx(project.signal);
  const name = `ikg-test-proxy-${process.pid}`;
  const folder = mkdtempSync(join(tmpdir(), "ikg-proxy-"));
  const authority = await makeAuthority();
  try {
    const port = await freePort();
    const settings: NginxSettings = {
      listen: [`127.0.0.1:${port}`, `${testHost}:${port}`],
      upstream: `http://127.0.0.1:${project.env["PORT"]}`,
      host,
    };
    writeNginxFiles(folder, settings, await authority.issue("proxy", [`DNS:${host}`]));
    const place = ["--network", "host", "--volume", `${folder}:${nginxFolder}:ro`, "--entrypoint", "nginx"];
    const label = `${ownerLabel}=${process.pid}`;
    await docker("run", "--detach", "--name", name, "--label", label, ...place, image, ...nginxArgs);
    if (!(await becomes(() => isOpen(port), listensWithinMs)))
      throw new Refusal(["nginx does not listen.", ...(await docker("logs", name)).slice(-10)].join("\n"));
    return await work({ address: "127.0.0.1", port, host, ca: readFileSync(authority.ca, "utf8") });
  } finally {
    // There is none where it could not be started.
    await docker("rm", "--force", "--volumes", name).catch(() => undefined);
    rmSync(folder, { recursive: true });
    authority.remove();
  }
};

/** Sends requests through nginx with TLS, and puts the session's settings back. */
export const checkProxy = async (session: ContainerSession): Promise<Counts> => {
  const { project, environment, testHost } = session;
  const settings = await documentedSettings(project);
  const { host } = new URL(settings.PUBLIC_URL);
  return withNginx(session, host, async (entry) => {
    try {
      return await checkBehindProxy({
        environment,
        entry,
        entryInside: { address: testHost, port: entry.port },
        settings,
        apply: async (chosen) => {
          await composeUp({ ...project, env: { ...project.env, ...chosen } }, "--no-build");
        },
        runNode: (...args) => compose(project, "exec", "-T", "access", "node", ...args),
      });
    } finally {
      await step("docker compose up with the settings of before", () => composeUp(project, "--no-build"));
    }
  });
};
