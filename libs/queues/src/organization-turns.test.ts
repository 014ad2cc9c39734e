import { setImmediate as nextRound } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { type FakeData, FakeQueue } from "../test/fake-queue.ts";
import { openOrganizationTurns, type OrganizationTurns } from "./organization-turns.ts";
import type { OrganizationQueue, QueueJob } from "./queue-snapshot.ts";
import { turnPriority } from "./turn-priorities.ts";

let queue: FakeQueue;
let errors: string[];
let clock: number;

beforeEach(() => {
  queue = new FakeQueue();
  errors = [];
  clock = 1;
});

/** A clock that makes every snapshot too old for a second use. */
const hurriedClock = (): number => (clock += 10_000);

const stoppedClock = (): number => clock;

const open = (
  of: OrganizationQueue<FakeData> = queue,
  now: () => number = hurriedClock,
): OrganizationTurns<FakeData> =>
  openOrganizationTurns(
    of,
    ({ message }) => errors.push(message),
    ({ isSpare = false }) => !isSpare,
    now,
  );

/** The project of a test, with the organization of its first letter. */
const ownerOf = (project: string): FakeData => ({ project, organization: project.slice(0, 1) });

const add = (priority: number, ...projects: string[]): void => {
  for (const project of projects) queue.add(ownerOf(project), priority);
};

const take = async (turns: OrganizationTurns<FakeData>): Promise<QueueJob<FakeData>> => {
  const job = queue.take();
  await turns.beginTurn(job);
  return job;
};

/** Corrects the order, as a job does that ends and was in no list. */
const correct = (turns: OrganizationTurns<FakeData>): Promise<void> =>
  turns.releaseWorker({ id: "ended", data: ownerOf("ended") });

const putBack = async (turns: OrganizationTurns<FakeData>, job: QueueJob<FakeData>): Promise<void> => {
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
  it.each<[string, () => number]>([
    ["each turn reads the queue", hurriedClock],
    ["all turns have one snapshot", stoppedClock],
  ])("are shared by organizations where these are fewer: %s", async (_, now) => {
    const turns = open(queue, now);
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

  it("go to the organization with the fewest active jobs when a job ends", async () => {
    const turns = open();
    add(turnPriority.next, "a0", "b0");
    add(turnPriority.behind, "a1", "a2", "b1");
    await take(turns);
    const job = await take(turns);
    await turns.releaseWorker(job);
    queue.end("b0");
    expect((await take(turns)).id).toBe("b1");
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
    await correct(other.turns);
    for (const id of ["b0", "c0"])
      await (await queue.getJob(id))?.changePriority({ priority: turnPriority.behind });
    other.pause();
    const restored = correct(other.turns);
    await correct(turns);
    add(turnPriority.next, "d0");
    other.release();
    await restored;
    expect(queue.wait).toEqual(["b0", "c0", "d0"]);
  });

  it("demote a job to the place before those that came after it", async () => {
    const [turns, other] = [open(), openPausedProcess()];
    add(turnPriority.behind, "b2");
    add(turnPriority.next, "b0", "b1");
    await correct(other.turns);
    expect([queue.wait, queue.prioritized]).toEqual([["b0"], ["b1", "b2"]]);
    await (await queue.getJob("b1"))?.changePriority({ priority: turnPriority.next });
    other.pause();
    const restored = correct(other.turns);
    await correct(turns);
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
    await correct(open(broken));
    expect(errors).toEqual(["Redis is away", "Redis is away"]);
    expect(queue.priorityOf("a0")).toBe(turnPriority.next);
    await expect(open(broken).priorityOf(ownerOf("a1"))).rejects.toThrow("Redis is away");
  });

  it("to change one job does not stop the changes of others, and is reported", async () => {
    add(turnPriority.behind, "b0", "c0", "d0");
    queue.onChange = (id) => {
      if (id === "c0") throw new Error("c0 cannot be changed");
    };
    await correct(open());
    expect(queue.wait).toEqual(["b0", "d0"]);
    expect(errors).toEqual(["c0 cannot be changed"]);
  });

  it("to change a job that has ended meanwhile is none", async () => {
    add(turnPriority.behind, "b0", "c0", "d0");
    queue.onChange = (id) => {
      if (id === "c0") queue.end(id);
    };
    await correct(open());
    expect(queue.wait).toEqual(["b0", "d0"]);
    expect(errors).toEqual([]);
  });
});

describe("a process", () => {
  /** The queue, with something that happens before or after a command. */
  const queueWith = (changes: Partial<OrganizationQueue<FakeData>>): OrganizationQueue<FakeData> => ({
    getRanges: (types, start, end) => queue.getRanges(types, start, end),
    getCountsPerPriority: (priorities) => queue.getCountsPerPriority(priorities),
    getJob: (id) => queue.getJob(id),
    ...changes,
  });

  it("does not miss a job that another one promotes while it reads", async () => {
    add(turnPriority.next, "a0");
    add(turnPriority.behind, "b0", "b1");
    const turns = open(
      queueWith({
        getCountsPerPriority: async (priorities) => {
          const counts = await queue.getCountsPerPriority(priorities);
          await (await queue.getJob("b0"))?.changePriority({ priority: turnPriority.next });
          return counts;
        },
      }),
    );
    await correct(turns);
    expect([queue.wait, queue.prioritized]).toEqual([["a0", "b0"], ["b1"]]);
  });

  it("counts a job as active alone that another one takes while it reads", async () => {
    add(turnPriority.next, "a0", "b0");
    add(turnPriority.behind, "a1");
    const changes: string[] = [];
    queue.onChange = (id) => void changes.push(id);
    const turns = open(
      queueWith({
        getRanges: (types, start, end) => {
          if (types.includes("active")) queue.take();
          return queue.getRanges(types, start, end);
        },
      }),
    );
    await correct(turns);
    expect(queue.active).toEqual(["a0"]);
    expect(changes).toEqual([]);
  });

  it("corrects the order for one worker after the other", async () => {
    const turns = open(queue, stoppedClock);
    add(turnPriority.next, "a0");
    add(turnPriority.behind, "a1");
    const [first, second] = [queue.take(), queue.take()];
    add(turnPriority.next, "d0");
    const slow: typeof first = {
      ...first,
      changePriority: async (options) => {
        await nextRound();
        await first.changePriority(options);
      },
    };
    await Promise.all([turns.endTurn(slow), turns.releaseWorker(second)]);
    expect(queue.priorityOf("a0")).toBe(turnPriority.next);
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
    await correct(turns);
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
  it("of a job's data are one; without an organization, one in 5 s", async () => {
    const turns = open(queue, stoppedClock);
    add(turnPriority.next, "a0", "b0");
    queue.add({ project: "old" });
    for (; clock <= 5_000; clock += 1_000) await correct(turns);
    expect(queue.reads.toSorted()).toEqual(["a0", "b0", "old"]);
    clock += 1_000;
    await correct(turns);
    expect(queue.reads.toSorted()).toEqual(["a0", "b0", "old", "old"]);
  });

  it("of a job's data are none once its turn has added its organization", async () => {
    const turns = open(queue, stoppedClock);
    queue.add({ project: "old" });
    const job = queue.take();
    await turns.beginTurn(job);
    await turns.endTurn({ ...job, data: { project: "old", organization: "a" } });
    expect(await turns.priorityOf(ownerOf("a0"))).toBe(turnPriority.behind);
    expect(queue.reads).toEqual([]);
  });

  it("of the queue are one in 50 ms, by whichever worker", async () => {
    const turns = open(queue, stoppedClock);
    add(turnPriority.next, "a0", "b0");
    add(turnPriority.behind, "a1", "b1");
    const jobs = [await take(turns), await take(turns)];
    clock += 50;
    await Promise.all(jobs.map((job) => putBack(turns, job)));
    // The jobs that wait, and the active ones.
    expect(queue.listings).toBe(2);
    clock += 1;
    await correct(turns);
    expect(queue.listings).toBe(4);
  });

  it("of the queue follow the priority of a job that is added", async () => {
    const turns = open(queue, stoppedClock);
    add(turnPriority.next, "a0");
    await correct(turns);
    await turns.priorityOf(ownerOf("b0"));
    add(turnPriority.behind, "b0");
    await correct(turns);
    expect(queue.wait).toEqual(["a0", "b0"]);
  });

  it("for the priorities of many jobs are those of one", async () => {
    const turns = open();
    add(turnPriority.next, "a0");
    const projects = ["a1", "b0", "b1", "c0", "c1"];
    const priorities = await Promise.all(projects.map((project) => turns.priorityOf(ownerOf(project))));
    const { next, behind } = turnPriority;
    expect(priorities).toEqual([behind, next, behind, next, behind]);
    // The jobs that wait, and the active ones.
    expect(queue.listings).toBe(2);
  });
});
