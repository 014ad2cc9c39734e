/** The suite on compose behind nginx on the same machine, as docs/operations.md puts both together. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { step } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { freePort, isOpen } from "../ports.ts";
import { checkBehindProxy } from "../testing/suites/behind-proxy.ts";
import type { Counts } from "../testing/runner/counts.ts";
import { documentedCommands } from "../testing/suites/documented-commands.ts";
import { nginxArgs, nginxFolder, type NginxSettings, withNginxFiles } from "../testing/suites/nginx.ts";
import { proxySettings, type ProxySettings, variablesIn } from "../testing/suites/proxied-suite.ts";
import type { ProxyEntry } from "../testing/suites/proxy-client.ts";
import { waitUntil } from "../testing/wait-until.ts";
import { ownerLabel } from "./abandoned.ts";
import { type ComposeProject, compose, composeUp, docker, runAsOperator } from "./compose.ts";
import { prepareNginx } from "./nginx-image.ts";
import type { ContainerSession } from "./session.ts";

const listenWithinMs = 20_000;

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
  { project: { env, signal }, testHost }: ContainerSession,
  host: string,
  work: (entry: ProxyEntry) => Promise<Counts>,
): Promise<Counts> => {
  const image = await prepareNginx(signal);
  const name = `ikg-test-proxy-${process.pid}`;
  const port = await freePort();
  const settings: NginxSettings = {
    listen: [`127.0.0.1:${port}`, `${testHost}:${port}`],
    upstream: `http://127.0.0.1:${env["PORT"]}`,
    host,
  };
  return withNginxFiles(settings, async (folder, ca) => {
    const place = ["--network", "host", "--volume", `${folder}:${nginxFolder}:ro`, "--entrypoint", "nginx"];
    const label = `${ownerLabel}=${process.pid}`;
    const options = ["--detach", "--name", name, "--label", label, ...place];
    try {
      await docker(["run", ...options, image, ...nginxArgs], signal);
      if (!(await waitUntil(() => isOpen(port), listenWithinMs, signal)))
        throw new UserError(
          ["nginx does not listen.", ...(await docker(["logs", name])).slice(-10)].join("\n"),
        );
      return await work({ address: "127.0.0.1", port, host, ca });
    } finally {
      // There is none where it could not be started.
      await docker(["rm", "--force", "--volumes", name]).catch(() => undefined);
    }
  });
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
        signal: project.signal,
        apply: async (additional) => {
          await composeUp({ ...project, env: { ...project.env, ...additional } }, "--no-build");
        },
        runNode: (...args) => compose(project, "exec", "-T", "access", "node", ...args),
        readGatewayLog: () => compose(project, "logs", "--no-color", "--no-log-prefix", "gateway"),
      });
    } finally {
      await step("docker compose up with the settings of before", () => composeUp(project, "--no-build"));
    }
  });
};
