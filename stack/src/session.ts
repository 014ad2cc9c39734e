/** One run of a suite, from the claim of its home to the end of its last process. */
import { rmSync } from "node:fs";
import { say, step } from "../launch/progress.mjs";
import { UserError } from "../launch/user-error.mjs";
import { startBackend } from "./backend.ts";
import { claimHome } from "./claim.ts";
import { Interrupted } from "./command.ts";
import type { Environment } from "./environment.ts";
import type { Home } from "./home.ts";
import { emptyHome, shortPath, writePrivate } from "./home.ts";
import type { Interruption } from "./interruption.ts";
import { runBootstrap } from "./services/bootstrap.ts";
import { prepareConsole } from "./services/console.ts";
import type { Addresses } from "./services/variables.ts";
import { publicUrl } from "./services/variables.ts";
import { removeScratchOrganization, scratchSlot } from "./stores/scratch-organization.ts";
import { portTaken, startServices } from "./services/services.ts";
import { freePort, isFree } from "./ports.ts";
import { endOrphans } from "./processes/orphans.ts";
import { readOrMakeSecrets } from "./secrets.ts";
import type { StackSettings } from "./settings.ts";
import type { Backend, Purpose, Suite } from "./suite.ts";
import { newSuite } from "./suite.ts";
import { prepareMachine } from "./system/prepare.ts";

export interface SessionOptions {
  readonly home: Home;
  readonly settings: StackSettings;
  /** of the gateway; undefined: any free one */
  readonly port: number | undefined;
  readonly fresh: boolean;
  readonly purpose: Purpose;
  readonly interruption: Interruption;
}

export interface Session {
  readonly suite: Suite;
  readonly backend: Backend;
  /** Starts the services, makes the first credential and writes `environment.json`. */
  readonly startServices: () => Promise<{ environment: Environment; addresses: Addresses }>;
}

/** Both, or the first reason why not once neither is at work any more. */
const bothOf = async <A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> => {
  const [one, other] = await Promise.allSettled([first, second]);
  if (one.status === "rejected") throw one.reason;
  if (other.status === "rejected") throw other.reason;
  return [one.value, other.value];
};

/** @param onOrganization called with its id once it is there, also where the services do not start */
const beginServices = async (
  suite: Suite,
  backend: Backend,
  port: number | undefined,
  slot: string | undefined,
  onOrganization: (id: string) => void,
) => {
  const { home } = suite;
  await prepareConsole(suite.signal);
  const gatewayPort = port ?? (await freePort());
  const bootstrap = step(
    "organization and first service account",
    () =>
      runBootstrap({
        file: home.bootstrapFile,
        backend,
        pepper: suite.secrets.credential_pepper,
        publicUrl: publicUrl(gatewayPort),
        slot,
        signal: suite.signal,
      }),
    (credential) => `organization ${credential.organization_id}, service account bootstrap`,
  ).then((credential) => {
    onOrganization(credential.organization_id);
    return credential;
  });
  const services = startServices(suite, backend, { port: gatewayPort, fixed: port !== undefined });
  const [{ addresses, metricsUrls }, first] = await bothOf(services, bootstrap);
  const environment: Environment = {
    base_url: addresses.gateway,
    mcp_url: addresses.gateway,
    organization_id: first.organization_id,
    service_account_token: first.service_account_token,
    neo4j_uri: backend.neo4j.uri,
    neo4j_username: backend.neo4j.username,
    neo4j_password: backend.neo4j.password,
    redis_url: backend.redisUrl,
    metrics_urls: metricsUrls,
  };
  writePrivate(home.environmentFile, environment);
  return { environment, addresses };
};

/** An unused home, with a free port. */
const prepareHome = async ({ home, port, fresh }: SessionOptions): Promise<void> => {
  const orphans = await endOrphans(home);
  if (orphans.length > 0) say(`Ended what a killed run had left: ${orphans.join(", ")}.`);
  rmSync(home.environmentFile, { force: true });
  if (port !== undefined && !(await isFree(port))) throw new UserError(portTaken(port));
  if (fresh) emptyHome(home);
};

const stop = async ({ children, home }: Suite, { purpose, interruption }: SessionOptions): Promise<void> => {
  if (!children.any) return;
  await step(
    "stopping",
    () => Promise.race([children.stop(), interruption.forced.then(() => children.stop(true))]),
    () => (purpose === "serve" ? `stopped; the data stays in ${shortPath(home.root)}` : "stopped"),
  );
};

/**
 * Prepares the machine, starts the databases, does `work`, and ends every process whatever happens.
 *
 * @throws UserError, also for the unexpected end of a process; Interrupted
 */
export const withSession = async <T>(
  options: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> => {
  const { home, settings, interruption } = options;
  const release = await claimHome(home, options.port);
  try {
    await prepareHome(options);
    const died = new AbortController();
    const suite = newSuite({
      home,
      secrets: readOrMakeSecrets(home),
      signal: AbortSignal.any([interruption.signal, died.signal]),
      purpose: options.purpose,
    });
    const ownDatabase = options.purpose === "serve" ? undefined : settings.neo4j;
    let leave = async () => {};
    let failure: UserError | undefined;
    void suite.children.unexpectedExit.then((refusal) => {
      failure = refusal;
      died.abort();
    });
    try {
      const needs = { neo4j: !settings.neo4j, redis: !settings.redisUrl };
      const { java } = await prepareMachine(needs, suite.signal);
      const backend = await startBackend(suite, settings, java);
      const result = await work({
        suite,
        backend,
        startServices: () =>
          beginServices(suite, backend, options.port, ownDatabase && scratchSlot(), (id) => {
            if (ownDatabase) leave = () => removeScratchOrganization(ownDatabase, id);
          }),
      });
      if (failure) throw failure;
      return result;
    } catch (error) {
      throw failure ?? (suite.signal.aborted ? new Interrupted() : error);
    } finally {
      rmSync(home.environmentFile, { force: true });
      await stop(suite, options);
      await leave();
    }
  } finally {
    release();
  }
};
