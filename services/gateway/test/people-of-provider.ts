/** People of a real OpenID provider who administer through a gateway. Shared by the tests of people. */
import { afterAll, beforeAll } from "@jest/globals";
import { changesChannel, type Gid } from "@ikg/contracts";
import {
  audience,
  clientId,
  type PeopleProvider,
  startPeopleProvider,
} from "../../../stack/src/testing/servers/people-provider.ts";
import type { GatewayProcess } from "./gateway-process.ts";
import {
  gatewayWith,
  redis,
  startWith,
  tenant,
  upstream,
  useGatewaysBySettings,
} from "./gateways-by-settings.ts";

export let provider: PeopleProvider;

/** Starts a provider that knows ann and bob before the tests of a file, and ends it and all gateways afterwards. */
export const usePeople = (): void => {
  useGatewaysBySettings();
  beforeAll(async () => {
    provider = await startPeopleProvider();
    provider.people.set("ann", { groups: ["security", "staff"], name: "Ann" });
    provider.people.set("bob", { groups: [] });
  });
  afterAll(() => provider?.close());
};

const settingsWith = (more: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  UPSTREAM_AUDIT: upstream.url,
  OIDC_ISSUER: provider.issuer,
  OIDC_AUDIENCE: audience,
  OIDC_CLIENT_ID: clientId,
  OIDC_ORGANIZATION: tenant.organization,
  EGRESS_ALLOW_HTTP: "true",
  EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
  ...more,
});

/** Starts a gateway that trusts the provider until the end of the test. */
export const gatewayOf = (more: Readonly<Record<string, string>> = {}): Promise<GatewayProcess> =>
  gatewayWith(settingsWith(more));

/** Starts a gateway that trusts the provider. The caller ends it. */
export const startGatewayOf = (more: Readonly<Record<string, string>>): Promise<GatewayProcess> =>
  startWith(settingsWith(more));

export const ask = async (
  { url }: GatewayProcess,
  token: string,
  path = "/configs/v1/projects",
  method = "GET",
) => {
  const answer = await fetch(url + path, { method, headers: { Authorization: `Bearer ${token}` } });
  const text = await answer.text();
  return { status: answer.status, text, challenge: answer.headers.get("www-authenticate") };
};

export const announce = (id: Gid) =>
  redis.publish(
    changesChannel,
    JSON.stringify({ kind: "role_binding", id, organization_id: tenant.organization, action: "updated" }),
  );

export const groups = (value: string) => ({ claim: "groups", value });
