/** The services: one process each, of one shape, started side by side; the gateway on the port that the person chose. */
import { join } from "node:path";
import { step } from "../../launch/progress.mjs";
import { UserError } from "../../launch/user-error.mjs";
import { freePort, isFree } from "../ports.ts";
import { startChild } from "../processes/child.ts";
import type { Phase } from "../processes/children.ts";
import { isReady } from "../processes/is-ready.ts";
import { PortTaken, waitUntilReady } from "../processes/ready.ts";
import { inRepository } from "../repository.ts";
import type { Backend, Purpose, Suite } from "../suite.ts";
import { type ServiceName, services, upstreams, workers } from "./service-names.ts";
import type { Addresses } from "./variables.ts";
import { inheritEnvironment, publicUrl, secretsOf, storesOf, upstreamVariables } from "./variables.ts";

/** Time between SIGTERM and the drain, and to end at last. */
const stopMarginMs = 1_000;

/**
 * Seconds that the environment sets, otherwise a few: a person waits for `npm stop`, in the worst case for one service after the
 * other.
 */
const stopSeconds = (name: "DRAIN_SECONDS" | "CLOSE_SECONDS", purpose: Purpose): string => {
  const byDefault = {
    DRAIN_SECONDS: { serve: "2", others: "10" },
    CLOSE_SECONDS: { serve: "1", others: "5" },
  };
  return process.env[name] ?? byDefault[name][purpose === "serve" ? "serve" : "others"];
};

/** How long services may take to stop: their settings, and when they are killed. */
export const stopTimes = (
  purpose: Purpose,
): { readonly variables: Readonly<Record<string, string>>; readonly graceMs: number } => {
  const DRAIN_SECONDS = stopSeconds("DRAIN_SECONDS", purpose);
  const CLOSE_SECONDS = stopSeconds("CLOSE_SECONDS", purpose);
  const { DRAIN_DELAY_MS = "250" } = process.env;
  return {
    variables: { DRAIN_SECONDS, CLOSE_SECONDS, DRAIN_DELAY_MS },
    graceMs: Number(DRAIN_DELAY_MS) + (Number(DRAIN_SECONDS) + Number(CLOSE_SECONDS)) * 1_000 + stopMarginMs,
  };
};
const readyWithinMs = 180_000;
const tries = 4;

/**
 * Settings of test runs, unless the environment sets them: loopback addresses are allowed for databases of projects and for
 * token issuers, which otherwise stay blocked, and three hours of a schedule take three seconds.
 */
const ofTests = {
  TRUST_SCHEDULE_SCALE: "0.0003",
  AUDIT_BATCH_MS: "300",
  DB_ALLOW_CIDRS: "127.0.0.0/8",
  EGRESS_ALLOW_HTTP: "true",
  EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
};

/** What the services get of the environment of this process, and the settings that go with the purpose. */
export const environmentOf = (purpose: Purpose, variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...(purpose === "test" || purpose === "test-long" ? ofTests : {}),
  ...inheritEnvironment(variables),
});

const chooseMetricsUrls = async (): Promise<Addresses> => {
  const chosen = [];
  for (const name of services) chosen.push([name, `http://127.0.0.1:${await freePort()}`] as const);
  return Object.fromEntries(chosen) as Addresses; // one of each
};

/** A port for each of them; the gateway gets the addresses of the others before they listen. */
const chooseAddresses = async (gatewayPort: number): Promise<Addresses> => {
  const address = async () => `http://127.0.0.1:${await freePort()}`;
  const [configs, capture, access, ciq, mcp, audit, scorer] = [
    await address(),
    await address(),
    await address(),
    await address(),
    await address(),
    await address(),
    await address(),
  ];
  const gateway = `http://127.0.0.1:${gatewayPort}`;
  return { configs, capture, access, ciq, mcp, audit, "trust-scorer": scorer, gateway };
};

/**
 * Young generation sized for the objects of one request: two halves of 16 to 32 MiB. A smaller one is collected before the running requests
 * are answered, so that their objects are promoted; with Node's own choice on a machine with much memory, the resident memory grows without
 * benefit. The image sets the same.
 */
export const nodeFlags = ["--min-semi-space-size=16", "--max-semi-space-size=32"];

/** The answers under way fill what ciq may use, so its young generation stays small: together they stay below 400 MB. */
export const ciqFlags = ["--min-semi-space-size=16", "--max-semi-space-size=16"];

/** The scorer serves no requests, and the rows of a page live as long as the page: a larger heap would only be resident. */
export const scorerFlags = ["--max-semi-space-size=8"];

const otherFlags: Partial<Record<ServiceName, readonly string[]>> = {
  ciq: ciqFlags,
  "trust-scorer": scorerFlags,
};
const flagsOf = (name: ServiceName): readonly string[] => otherFlags[name] ?? nodeFlags;

const startService = async (
  { home, secrets, purpose }: Suite,
  name: ServiceName,
  address: string,
  metricsUrl: string,
  variables: NodeJS.ProcessEnv,
  phase: Phase,
  signal: AbortSignal,
): Promise<void> => {
  const stopping = stopTimes(purpose);
  const child = startChild(home, {
    name,
    program: process.execPath,
    args: [...flagsOf(name), join(inRepository("services", name), "src", "main.ts")],
    env: {
      ...environmentOf(purpose, process.env),
      ...variables,
      ...secretsOf(name, secrets),
      ...stopping.variables,
      HOST: "127.0.0.1",
      PORT: new URL(address).port,
      METRICS_PORT: new URL(metricsUrl).port,
    },
    graceMs: stopping.graceMs,
  });
  phase.add(child);
  await waitUntilReady(child, () => isReady(address), { timeoutMs: readyWithinMs, signal });
  phase.watch(child);
};

export interface StartedServices {
  readonly addresses: Addresses;
  /** Where each has its metrics and the level of its log, for operators alone. */
  readonly metricsUrls: Addresses;
}

/** By the heap, unless the person says otherwise. */
const heavyStatementsOf = ({ heavyStatements }: Backend): NodeJS.ProcessEnv =>
  heavyStatements === undefined || process.env["NEO4J_HEAVY_STATEMENTS"] !== undefined
    ? {}
    : { NEO4J_HEAVY_STATEMENTS: String(heavyStatements) };

/** Starts them all. When one fails the others need not become ready; its reason is the one that counts. */
const startAll = async (
  suite: Suite,
  backend: Backend,
  { addresses, metricsUrls }: StartedServices,
  phases: readonly [Phase, Phase],
) => {
  const failed = new AbortController();
  const signal = AbortSignal.any([suite.signal, failed.signal]);
  const port = Number(new URL(addresses.gateway).port);
  const variables = { PUBLIC_URL: publicUrl(port), ...heavyStatementsOf(backend) };
  const reasons: unknown[] = [];
  const start = async (name: ServiceName, phase: Phase, more: NodeJS.ProcessEnv) => {
    try {
      await startService(
        suite,
        name,
        addresses[name],
        metricsUrls[name],
        { ...storesOf(name, backend, suite.secrets), ...variables, ...more },
        phase,
        signal,
      );
    } catch (error) {
      reasons.push(error);
      failed.abort();
    }
  };
  const [behind, front] = phases;
  await Promise.all([
    ...upstreams.map((name) => start(name, behind, name === "mcp" ? upstreamVariables(addresses) : {})),
    ...workers.map((name) => start(name, behind, {})),
    // Who tries it out on one machine wants to read what there is.
    start("gateway", front, { API_REFERENCE: "true", CONSOLE: "true", ...upstreamVariables(addresses) }),
  ]);
  if (reasons.length > 0) throw reasons[0];
};

const maxPort = 65_535;

export const portTaken = (port: number): string => {
  const neighbour = port < maxPort ? port + 1 : port - 1;
  return `Port ${port} is taken by another program. Choose another one: PORT=${neighbour} npm start`;
};

export interface GatewayPort {
  readonly port: number;
  /** chosen by a person, so that no other one will do */
  readonly fixed: boolean;
}

const startOnFreePorts = async (
  suite: Suite,
  backend: Backend,
  gateway: GatewayPort,
): Promise<StartedServices> => {
  let { port } = gateway;
  for (let turn = 1; ; turn++) {
    const chosen = { addresses: await chooseAddresses(port), metricsUrls: await chooseMetricsUrls() };
    const phases = [suite.children.addPhase(), suite.children.addPhase()] as const;
    try {
      await startAll(suite, backend, chosen, phases);
      return chosen;
    } catch (error) {
      if (!(error instanceof PortTaken) || turn === tries) throw error;
      // Another process took one of the ports.
      for (const phase of phases.toReversed()) await phase.stop();
      if (await isFree(port)) continue;
      if (gateway.fixed) throw new UserError(portTaken(port));
      port = await freePort();
    }
  }
};

/**
 * Starts the services side by side and waits until all are ready.
 *
 * @throws UserError naming the service that ended or did not become ready, or the port that is taken
 */
export const startServices = (
  suite: Suite,
  backend: Backend,
  gateway: GatewayPort,
): Promise<StartedServices> =>
  step(
    `services ${[...upstreams, ...workers].join(", ")}, gateway`,
    () => startOnFreePorts(suite, backend, gateway),
    ({ addresses }) =>
      `services ${[...upstreams, ...workers].join(", ")}, and the gateway on ${addresses.gateway}`,
  );
