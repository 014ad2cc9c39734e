import { describe, expect, it } from "@jest/globals";
import type { ServiceName, SuiteStatus } from "@ikg/contracts";
import { suiteStatus } from "./read-replicas.ts";
import { printEntry, type ReplicaEntry } from "./replica-entry.ts";

const now = 1_000_000;

type Aged = readonly [Partial<ReplicaEntry>, age: number];

/** Members of the sorted set: reports, each with its age in seconds. */
const members = (...reports: readonly Aged[]): readonly string[] =>
  reports
    .toSorted(([, one], [, other]) => other - one)
    .flatMap(([report, age], index) => [
      printEntry({ service: "ciq", id: `i${index}`, status: "ready", version: "0.1.0", ...report }),
      String(now - age),
    ]);

const replicasOf = ({ services }: SuiteStatus, name: ServiceName) =>
  services.find(({ service }) => service === name)?.replicas;

describe("the state of the suite", () => {
  it("has each process with its state and version, those of one service together", () => {
    const status = suiteStatus(
      now,
      members(
        [{ id: "b", status: "unavailable", version: "0.2.0" }, 0],
        [{ id: "a", status: "stopping" }, 15],
        [{ service: "trust-scorer" }, 3],
      ),
    );
    expect(replicasOf(status, "ciq")).toEqual([
      { status: "stopping", version: "0.1.0" },
      { status: "unavailable", version: "0.2.0" },
    ]);
    expect(replicasOf(status, "trust-scorer")).toEqual([{ status: "ready", version: "0.1.0" }]);
  });

  it("calls a process unreachable after three missing reports, and gives it up after a minute", () => {
    expect(replicasOf(suiteStatus(now, members([{}, 16])), "ciq")).toEqual([
      { status: "unreachable", version: "0.1.0" },
    ]);
    expect(replicasOf(suiteStatus(now, members([{}, 60])), "ciq")).toHaveLength(1);
    expect(replicasOf(suiteStatus(now, members([{}, 61])), "ciq")).toEqual([]);
  });

  it("lists services that no installation goes without, and others that were seen in the last day", () => {
    const names = (...reports: readonly Aged[]) =>
      suiteStatus(now, members(...reports)).services.map(({ service }) => service);
    expect(names()).toEqual(["gateway", "configs", "capture", "access", "ciq"]);
    expect(names([{ service: "mcp" }, 80_000])).toEqual([
      "gateway",
      "configs",
      "capture",
      "access",
      "ciq",
      "mcp",
    ]);
  });

  it("has the newest report of a process, of which a former one was left", () => {
    const status = suiteStatus(
      now,
      members([{ id: "a", status: "unavailable" }, 5], [{ id: "a", status: "ready" }, 0]),
    );
    expect(replicasOf(status, "ciq")).toEqual([{ status: "ready", version: "0.1.0" }]);
  });

  it("leaves out what another release may write", () => {
    const unknown = ["ciq i1 paused 0.9.0", String(now), "billing i2 ready 0.9.0", String(now), "", "x"];
    expect(replicasOf(suiteStatus(now, unknown), "ciq")).toEqual([]);
  });
});
