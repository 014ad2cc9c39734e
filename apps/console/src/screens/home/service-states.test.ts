import { describe, expect, it } from "@jest/globals";
import type { SuiteStatus } from "@ikg/client";
import { serviceStates } from "./service-states.ts";

type Replica = SuiteStatus["services"][number]["replicas"][number];

const replica = (status: Replica["status"], version = "0.9.0"): Replica => ({ status, version });
const stateOf = (...replicas: readonly Replica[]) => {
  const [state] = serviceStates({ services: [{ service: "ciq", replicas: [...replicas] }] }).services;
  return [state?.tone, state?.text];
};

describe("the state of a service", () => {
  it("is that of its only process", () => {
    expect(stateOf(replica("ready"))).toEqual(["good", "ready"]);
    expect(stateOf(replica("unavailable"))).toEqual(["bad", "not ready"]);
    expect(stateOf(replica("unreachable"))).toEqual(["bad", "unreachable"]);
    expect(stateOf(replica("stopping"))).toEqual(["warn", "stopping"]);
    expect(stateOf()).toEqual(["bad", "not running"]);
  });

  it("counts the processes that are ready, without those that end", () => {
    expect(stateOf(replica("ready"), replica("ready"))).toEqual(["good", "ready, 2 replicas"]);
    expect(stateOf(replica("ready"), replica("stopping"))).toEqual(["good", "ready"]);
    expect(stateOf(replica("ready"), replica("unreachable"), replica("ready"))).toEqual([
      "warn",
      "2 of 3 ready",
    ]);
    expect(stateOf(replica("unreachable"), replica("unavailable"))).toEqual(["bad", "0 of 2 ready"]);
  });
});

it("versions are those of processes that run, the lowest first", () => {
  const { services, versions } = serviceStates({
    services: [
      { service: "access", replicas: [replica("ready", "0.10.0"), replica("ready", "0.9.0")] },
      { service: "ciq", replicas: [replica("stopping", "0.9.0"), replica("unreachable", "0.8.0")] },
      { service: "mcp", replicas: [] },
    ],
  });
  expect(services.map((each) => each.versions)).toEqual([["0.9.0", "0.10.0"], ["0.9.0"], []]);
  expect(versions).toEqual(["0.9.0", "0.10.0"]);
});
