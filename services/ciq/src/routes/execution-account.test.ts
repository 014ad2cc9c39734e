import { expect, it } from "@jest/globals";
import { type AgentCaller, newGid } from "@ikg/contracts";
import type { ResolverCall } from "../explain/resolver-call.ts";
import { openAccount } from "./execution-account.ts";

const project = newGid("project");
const caller: AgentCaller = {
  kind: "agent",
  credential_kid: "k",
  org: newGid("organization"),
  project,
  application: newGid("application"),
  agent: newGid("application_agent"),
  permissions: ["ContXIQ"],
};

const call = (
  resolver: string,
  outcome: ResolverCall["outcome"] = "resolved",
  isServiceFault = false,
): ResolverCall => ({ resolver, outcome, ms: 1, isServiceFault });

const dataOf = (...calls: readonly ResolverCall[]) => {
  const account = openAccount(caller, { id: "q" } as never, () => undefined); // what the schema fills in is not read
  account.listener.onResolverCalls(calls);
  return account.note(undefined).data;
};

it("names the resolvers that were called, and each reason why a service gave no value, once", () => {
  const data = dataOf(
    call("prices", "upstream_timeout", true),
    call("prices", "upstream_timeout", true),
    call("prices", "circuit_open", true),
    call("sizes"),
    call("sizes", "upstream_status"),
  );
  expect(data).toMatchObject({ resolvers: ["prices", "sizes"] });
  expect(data.failed_resolvers).toEqual([
    { resolver: "prices", reason: "upstream_timeout" },
    { resolver: "prices", reason: "circuit_open" },
  ]);
});

it("names none where every service answered", () => {
  expect(Object.keys(dataOf(call("sizes"), call("prices", "selector_no_match")))).not.toContain(
    "failed_resolvers",
  );
});
