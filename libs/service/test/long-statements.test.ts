import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { exchanged, useProcesses } from "./long-statement-processes.ts";
import { tenantOf as of } from "./tenant-of.ts";

const openProcess = useProcesses(14);

describe("long statements of several processes", () => {
  it("are added up by project: each process learns what the others added", async () => {
    const [access, ciq] = [await openProcess(), await openProcess()];
    access.statements.spent(of("a"), 100);
    ciq.statements.spent(of("a"), 20);
    await exchanged();
    access.news.length = 0;
    ciq.statements.spent(of("a"), 300);
    ciq.statements.spent(of("b"), 50);
    await exchanged();
    access.statements.spent(of("a"), 10);
    access.statements.spent(of("b"), 1);
    await exchanged();
    // The first sum of a project says nothing of how long ago it was added.
    expect(access.news).toEqual([
      { kind: "project", id: "a", ms: expect.any(Number), isContended: false },
      { kind: "project", id: "b", ms: 0, isContended: false },
      { kind: "organization", id: "organization of a", ms: access.news[0]?.ms, isContended: false },
      { kind: "organization", id: "organization of b", ms: 0, isContended: false },
    ]);
    expect([300, 320]).toContain(access.news[0]?.ms);
  });

  it("tell whether other projects ask, of whichever process", async () => {
    const [access, ciq] = [await openProcess(), await openProcess()];
    access.slots.announce(of("heavy"));
    await wait(100);
    ciq.statements.spent(of("heavy"), 10);
    await exchanged();
    access.slots.announce(of("light"));
    await wait(100);
    ciq.statements.spent(of("heavy"), 10);
    await exchanged();
    const ofProject = ciq.news.filter(({ id }) => id === "heavy");
    expect(ofProject.map(({ isContended }) => isContended)).toEqual([false, true]);
  });

  it("are added up by organization as well, whose projects are not others for it", async () => {
    const [access, ciq] = [await openProcess(), await openProcess()];
    const [one, two] = [of("one", "both"), of("two", "both")];
    ciq.statements.spent(one, 1);
    await exchanged();
    access.statements.spent(one, 1);
    access.slots.announce(one);
    access.slots.announce(two);
    await exchanged();
    access.news.length = 0;
    ciq.statements.spent(two, 300);
    await exchanged();
    access.statements.spent(one, 1);
    await exchanged();
    expect(access.news).toEqual([
      { kind: "project", id: "one", ms: 0, isContended: true },
      { kind: "organization", id: "both", ms: 300, isContended: false },
    ]);
    access.slots.announce(of("light"));
    await wait(100);
    access.statements.spent(one, 1);
    await exchanged();
    expect(access.news.at(-1)).toEqual({ kind: "organization", id: "both", ms: 0, isContended: true });
  });
});
