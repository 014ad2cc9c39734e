import { beforeEach, describe, expect, it } from "@jest/globals";
import { type FakeData, FakeQueue } from "../test/fake-queue.ts";
import { openOrganizationTurns, type OrganizationTurns } from "./organization-turns.ts";
import type { OrganizationQueue, QueueJob } from "./queue-snapshot.ts";
import { turnPriority } from "./turn-priorities.ts";

let queue: FakeQueue;
let errors: string[];

beforeEach(() => {
  queue = new FakeQueue();
  errors = [];
});

const open = (of: OrganizationQueue<FakeData> = queue): OrganizationTurns =>
  openOrganizationTurns(
    of,
    ({ message }) => errors.push(message),
    ({ isSpare = false }) => !isSpare,
  );

/** The project of a test, with the organization of its first letter. */
const ownerOf = (project: string): FakeData => ({ project, organization: project.slice(0, 1) });

const add = (priority: number, ...projects: string[]): void => {
  for (const project of projects) queue.add(ownerOf(project), priority);
};

const take = async (turns: OrganizationTurns): Promise<QueueJob<FakeData>> => {
  const job = queue.take();
  await turns.restore();
  return job;
};

const putBack = async (turns: OrganizationTurns, job: QueueJob<FakeData>): Promise<void> => {
  await turns.endTurn(job);
  queue.putBack(job.data.project);
};

const activeOf = (organization: string): number =>
  queue.active.filter((id) => id.startsWith(organization)).length;

/** The queue as a process sees it that reads no job until it is released. */
const openPausedProcess = () => {
  let pause: PromiseWithResolvers<void> | undefined;
  const turns = open({
    getRanges: (types, start, end) => queue.getRanges(types, start, end),
    getCountsPerPriority: (priorities) => queue.getCountsPerPriority(priorities),
    getJob: async (id) => {
      await pause?.promise;
      return queue.getJob(id);
    },
  });
  return {
    turns,
    pause: (): void => void (pause = Promise.withResolvers()),
    release: (): void => pause?.resolve(),
  };
};

describe("workers of a queue", () => {
  it("are shared by organizations where these are fewer", async () => {
    const turns = open();
    add(turnPriority.next, "a0", "b0", "c0");
    add(turnPriority.behind, ...Array.from({ length: 20 }, (_, at) => `a${at + 1}`), "b1", "b2", "b3");
    const active: QueueJob<FakeData>[] = [];
    for (let worker = 0; worker < 6; worker++) active.push(await take(turns));
    for (let turn = 0; turn < 60; turn++) {
      expect(activeOf("c")).toBe(1);
      expect(activeOf("a") + activeOf("b")).toBe(5);
      expect(Math.abs(activeOf("a") - activeOf("b"))).toBe(1);
      const first = active.shift();
      if (first !== undefined) await putBack(turns, first);
      active.push(await take(turns));
    }
    expect(errors).toEqual([]);
  });

  it("are for one organization while no other one waits, without a change of a priority", async () => {
    const turns = open();
    add(turnPriority.next, "a0");
    add(turnPriority.behind, "a1", "a2", "a3");
    const changes: string[] = [];
    queue.onChange = (id) => void changes.push(id);
    for (let worker = 0; worker < 4; worker++) await take(turns);
    expect(queue.active).toEqual(["a0", "a1", "a2", "a3"]);
    expect(changes).toEqual([]);
  });
});

describe("several processes", () => {
  it("promote a job once: one with a former snapshot takes no job its position", async () => {
    const [turns, other] = [open(), openPausedProcess()];
    add(turnPriority.next, "a0", "b0", "c0");
    queue.take();
    await other.turns.restore();
    for (const id of ["b0", "c0"])
      await (await queue.getJob(id))?.changePriority({ priority: turnPriority.behind });
    other.pause();
    const restored = other.turns.restore();
    await turns.restore();
    add(turnPriority.next, "d0");
    other.release();
    await restored;
    expect(queue.wait).toEqual(["b0", "c0", "d0"]);
  });

  it("demote a job to the place before those that came after it", async () => {
    const [turns, other] = [open(), openPausedProcess()];
    add(turnPriority.behind, "b2");
    add(turnPriority.next, "b0", "b1");
    await other.turns.restore();
    expect([queue.wait, queue.prioritized]).toEqual([["b0"], ["b1", "b2"]]);
    await (await queue.getJob("b1"))?.changePriority({ priority: turnPriority.next });
    other.pause();
    const restored = other.turns.restore();
    await turns.restore();
    other.release();
    await restored;
    expect([queue.wait, queue.prioritized]).toEqual([["b0"], ["b1", "b2"]]);
  });
});

describe("a failure", () => {
  it("of a read fails neither the end nor the begin of a turn", async () => {
    add(turnPriority.next, "a0");
    const job = queue.take();
    const broken: OrganizationQueue<FakeData> = {
      getRanges: () => Promise.reject(new Error("Redis is away")),
      getCountsPerPriority: async () => ({}),
      getJob: async () => undefined,
    };
    await open(broken).endTurn(job);
    await open(broken).restore();
    expect(errors).toEqual(["Redis is away", "Redis is away"]);
    expect(queue.priorityOf("a0")).toBe(turnPriority.next);
    await expect(open(broken).priorityOf(ownerOf("a1"))).rejects.toThrow("Redis is away");
  });

  it("to change one job does not stop the changes of others, and is reported", async () => {
    add(turnPriority.behind, "b0", "c0", "d0");
    queue.onChange = (id) => {
      if (id === "c0") throw new Error("c0 cannot be changed");
    };
    await open().restore();
    expect(queue.wait).toEqual(["b0", "d0"]);
    expect(errors).toEqual(["c0 cannot be changed"]);
  });

  it("to change a job that has ended meanwhile is none", async () => {
    add(turnPriority.behind, "b0", "c0", "d0");
    queue.onChange = (id) => {
      if (id === "c0") queue.end(id);
    };
    await open().restore();
    expect(queue.wait).toEqual(["b0", "d0"]);
    expect(errors).toEqual([]);
  });
});

describe("spare work", () => {
  it("is never promoted, also where a build before 0.2.0 added it or its worker was killed", async () => {
    const turns = open();
    for (const project of ["b0", "c0", "d0"])
      queue.add({ ...ownerOf(project), isSpare: true }, turnPriority.spare);
    await (await queue.getJob("b0"))?.changePriority({ priority: turnPriority.behind });
    for (const id of ["c0", "d0"]) {
      await (await queue.getJob(id))?.changePriority({ priority: turnPriority.next });
      expect(queue.take().id).toBe(id);
      await (await queue.getJob(id))?.changePriority({ priority: turnPriority.spare });
    }
    queue.stall("c0");
    add(turnPriority.behind, "a0");
    await turns.restore();
    expect(queue.wait).toEqual(["a0"]);
    expect(["b0", "c0", "d0"].map((id) => queue.priorityOf(id))).toEqual(
      Array.from({ length: 3 }, () => turnPriority.spare),
    );
    expect(queue.prioritized.toSorted()).toEqual(["b0", "c0"]);
  });

  it("that waits is no turn of its organization; active, it is a worker of it", async () => {
    queue.add({ ...ownerOf("b0"), isSpare: true }, turnPriority.spare);
    expect(await open().priorityOf(ownerOf("b1"))).toBe(turnPriority.next);
    queue.take();
    expect(await open().priorityOf(ownerOf("b1"))).toBe(turnPriority.behind);
  });
});

describe("reads", () => {
  it("of a job's data are one, unless it has no organization", async () => {
    const turns = open();
    add(turnPriority.next, "a0", "b0");
    queue.add({ project: "old" });
    for (let turn = 0; turn < 3; turn++) await turns.restore();
    expect(queue.reads.toSorted()).toEqual(["a0", "b0", "old", "old", "old"]);
  });

  it("for the priorities of many jobs are those of one", async () => {
    const turns = open();
    add(turnPriority.next, "a0");
    const projects = ["a1", "b0", "b1", "c0", "c1"];
    const priorities = await Promise.all(projects.map((project) => turns.priorityOf(ownerOf(project))));
    const { next, behind } = turnPriority;
    expect(priorities).toEqual([behind, next, behind, next, behind]);
    // The active jobs, and the wait list.
    expect(queue.listings).toBe(2);
  });
});
