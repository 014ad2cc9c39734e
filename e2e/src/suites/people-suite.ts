/** A suite at which people sign in: a provider, and a gateway that trusts it, with services of its own beside the suite under test. */
import type { ServiceName } from "../../../stack/src/services/service-names.ts";
import {
  audience,
  clientId,
  type PeopleProvider,
  startPeopleProvider,
} from "../../../stack/src/testing/servers/people-provider.ts";
import { environment } from "../environment.ts";
import { type Process, startBeside } from "./start-beside.ts";

export interface PeopleSuite {
  readonly provider: PeopleProvider;
  /** Of its gateway. */
  readonly base: string;
  close(): Promise<void>;
}

/** Of services that are not asked. */
const unreachable = "http://127.0.0.1:1";

/** Jobs of the suite stay with its own processes, which outlast the test. */
const settingsOf: Readonly<Partial<Record<ServiceName, Readonly<Record<string, string>>>>> = {
  capture: { IMPORT_CONCURRENCY: "0" },
};

/** Every service that people reach, besides configs. */
export const servicesOfPeople = ["capture", "access", "ciq", "audit"] as const;

/**
 * Starts it with one person, `ann`.
 *
 * @param groups of ann.
 * @param more settings of the gateway.
 * @param behind services that the gateway reaches besides configs.
 */
export const startPeopleSuite = async (
  groups: readonly string[],
  more: Readonly<Record<string, string>> = {},
  behind: readonly (typeof servicesOfPeople)[number][] = [],
): Promise<PeopleSuite> => {
  const started: Process[] = [];
  const provider = await startPeopleProvider();
  const close = async (): Promise<void> => {
    // The gateway, which is the last, before the services that it calls.
    await started.pop()?.stop();
    await Promise.all(started.map((each) => each.stop()));
    await provider.close();
  };
  try {
    provider.people.set("ann", { groups: [...groups], name: "Ann Archer" });
    const settings = { DRAIN_DELAY_MS: "0", PUBLIC_URL: environment().base_url };
    const upstreams: Record<string, string> = {
      UPSTREAM_CAPTURE: unreachable,
      UPSTREAM_ACCESS: unreachable,
      UPSTREAM_CIQ: unreachable,
    };
    const start = async (name: ServiceName): Promise<void> => {
      const service = await startBeside(name, { ...settings, ...settingsOf[name] });
      started.push(service);
      upstreams[`UPSTREAM_${name.toUpperCase()}`] = `http://127.0.0.1:${service.port}`;
    };
    const starts = await Promise.allSettled((["configs", ...behind] as const).map(start));
    for (const each of starts) if (each.status === "rejected") throw each.reason;
    const gateway = await startBeside("gateway", {
      ...settings,
      ...upstreams,
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: audience,
      OIDC_CLIENT_ID: clientId,
      OIDC_ORGANIZATION: environment().organization_id,
      EGRESS_ALLOW_HTTP: "true",
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
      ...more,
    });
    started.push(gateway);
    return { provider, base: `http://127.0.0.1:${gateway.port}`, close };
  } catch (error) {
    await close();
    throw error;
  }
};
