import { internalContextHeader, signInternalContext } from "@ikg/auth";
import { type AgentCaller, type Caller, newGid, type ServiceName } from "@ikg/contracts";
import { gatewayOfTests, keysOfTests, targetOf } from "../../../stack/src/testing/internal-contexts.ts";
import { CalledSettings } from "../src/contexts/context-settings.ts";
import { BaseSettings, readSettings } from "../src/settings/settings.ts";

export const agent: AgentCaller = {
  kind: "agent",
  credential_kid: "k7f3q2m9x1c8v5b4",
  org: newGid("organization"),
  project: newGid("project"),
  application: newGid("application"),
  agent: newGid("application_agent"),
  permissions: ["Authorization"],
};
export const settings = readSettings(BaseSettings.extend(CalledSettings.shape), {
  PORT: "0",
  LOG_LEVEL: "error",
  NEO4J_URI: "bolt://127.0.0.1:1",
  NEO4J_PASSWORD: "p",
  // A Redis database of these tests alone: an audit service consumes what waits in its streams.
  REDIS_URL: `${(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379").replace(/\/\d+$/, "")}/8`,
  ...keysOfTests,
});

const sign = signInternalContext(gatewayOfTests.privateKey, "gateway");

/** The header of a call as the gateway would state it. */
export const contextOf = async (
  caller: Caller | undefined,
  service: ServiceName,
  [method, path]: readonly [method: string, path: string],
  ...origin: readonly [address?: string | undefined, alias?: string | undefined]
): Promise<Record<string, string>> => ({
  [internalContextHeader]: await sign(caller, targetOf(service, method, path), ...origin),
});
