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
  clock = 1;
  queue = new FakeQueue(() => clock);
  errors = [];
});

const open = (of: OrganizationQueue<FakeData> = queue): OrganizationTurns<FakeData> =>
  openOrganizationTurns(
    of,
    ({ message }) => errors.push(message),
    ({ isSpare = false }) => !isSpare,
    () => clock,
  );

/** What one read of the queue lists: the jobs that wait, and the active ones. */
const listingsOfRead = 2;

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

const putBack = async (
  turns: OrganizationTurns<FakeData>,
  job: QueueJob<FakeData>,
  pauseMs = 0,
): Promise<void> => {
  await turns.endTurn(job, pauseMs > 0);
  queue.putBack(job.data.project, pauseMs);
};

const activeOf = (organization: string): number =>
  queue.active.filter((id) => id.startsWith(organization)).length;

/** A process that reads no job until it is released. */
const openPausedProcess = () => {
  let pause: PromiseWithResolvers<void> | undefined;
  const turns = open({
    getRanges: (types, start, end) => queue.getRanges(types, start, end),
    getCountsPerPriority: (priorities) => queue.getCountsPerPriority(priorities),
    getDelayedCount: (before) => queue.getDelayedCount(before),
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

/** Numbers from 0 to below a bound that look random, the same ones for a seed. */
const openRandom = (seed: number): ((bound: number) => number) => {
  let state = seed;
  return (bound) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * bound);
  };
};

/** The queue as a process uses it whose commands run one after the other, each after some time. */
const openDistant = (random: (bound: number) => number): OrganizationQueue<FakeData> => {
  let sent: Promise<unknown> = Promise.resolve();
  const travel = async (): Promise<void> => {
    for (let rounds = random(4); rounds > 0; rounds--) await nextRound();
  };
  const send = <T>(command: () => Promise<T>): Promise<T> => {
    const answer = sent.then(travel).then(command);
    sent = answer;
    return answer;
  };
  return {
    getRanges: (types, start, end) => send(() => queue.getRanges(types, start, end)),
    getCountsPerPriority: (priorities) => send(() => queue.getCountsPerPriority(priorities)),
    getDelayedCount: (before) => send(() => queue.getDelayedCount(before)),
    getJob: async (id) => {
      const job = await send(() => queue.getJob(id));
      if (job === undefined) return undefined;
      return { ...job, changePriority: (options) => send(() => job.changePriority(options)) };
    },
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

  it("demote a job once, to the place before those that came after it", async () => {
    const [turns, other] = [open(), openPausedProcess()];
    add(turnPriority.behind, "b2");
    add(turnPriority.next, "b0", "b1");
    await correct(other.turns);
    expect([queue.wait, queue.prioritized]).toEqual([["b0"], ["b1", "b2"]]);
    await (await queue.getJob("b1"))?.changePriority({ priority: turnPriority.next });
    other.pause();
    const restored = correct(other.turns);
    await correct(turns);
    // It has its turn, and is the last one then.
    await (await queue.getJob("b1"))?.changePriority({ priority: turnPriority.behind });
    other.release();
    await restored;
    expect([queue.wait, queue.prioritized]).toEqual([["b0"], ["b2", "b1"]]);
  });

  it.each([1, 2, 3, 4, 5])("share the workers while their commands interleave (%i)", async (seed) => {
    add(turnPriority.next, "a0", "b0", "c0");
    add(turnPriority.behind, ...Array.from({ length: 20 }, (_, at) => `a${at + 1}`), "b1");
    const random = openRandom(seed);
    const order: string[] = [];
    const work = async (turns: OrganizationTurns<FakeData>): Promise<void> => {
      while (order.length < 600) {
        const job = queue.take();
        order.push(job.data.project);
        await turns.beginTurn(job);
        for (let rounds = 20 + random(20); rounds > 0; rounds--) await nextRound();
        await putBack(turns, job);
      }
    };
    const processes = [openDistant(random), openDistant(random)].map((each) => open(each));
    await Promise.all([...processes, ...processes, ...processes].map(work));
    const shareOf = (organization: string): number =>
      order.filter((id) => id.startsWith(organization)).length / order.length;
    // There are six workers, and one job of c and two of b.
    expect(shareOf("c")).toBeGreaterThan(0.14);
    expect(shareOf("b")).toBeGreaterThan(0.28);
    expect(errors).toEqual([]);
  });
});

describe("a failure", () => {
  it("of a read fails neither the end nor the begin of a turn", async () => {
    add(turnPriority.next, "a0");
    const job = queue.take();
    const broken: OrganizationQueue<FakeData> = {
      getRanges: () => Promise.reject(new Error("Redis is unavailable")),
      getCountsPerPriority: async () => ({}),
      getDelayedCount: async () => 0,
      getJob: async () => undefined,
    };
    await open(broken).endTurn(job, false);
    await correct(open(broken));
    expect(errors).toEqual(["Redis is unavailable", "Redis is unavailable"]);
    expect(queue.priorityOf("a0")).toBe(turnPriority.next);
    await expect(open(broken).priorityOf(ownerOf("a1"))).rejects.toThrow("Redis is unavailable");
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
  it("corrects the order once for workers that end their turns at one moment", async () => {
    const turns = open();
    add(turnPriority.next, "a0", "b0", "c0");
    add(turnPriority.behind, "a1", "b1");
    const [a, b, c] = [queue.take(), queue.take(), queue.take()];
    await Promise.all([turns.endTurn(a, false), turns.endTurn(b, false), turns.releaseWorker(c)]);
    expect([queue.wait, queue.prioritized]).toEqual([["a1", "b1"], []]);
    for (const id of ["a0", "b0"]) expect(queue.priorityOf(id)).toBe(turnPriority.behind);
    expect(queue.listings).toBe(listingsOfRead);
  });

  it("corrects the order once for all workers that wait for a correction under way", async () => {
    const turns = open();
    add(turnPriority.next, "a0", "b0");
    add(turnPriority.behind, "c0", "a1");
    const jobs = [queue.take(), queue.take()];
    const change = Promise.withResolvers<void>();
    queue.onChange = () => change.promise;
    const first = correct(turns);
    await nextRound();
    const rest = jobs.map((job) => putBack(turns, job));
    change.resolve();
    await Promise.all([first, ...rest]);
    expect(queue.listings).toBe(2 * listingsOfRead);
    expect(queue.wait).toEqual(["c0", "a1"]);
    expect(queue.priorityOf("b0")).toBe(turnPriority.next);
  });

  it("answers about the queue while it corrects the order", async () => {
    const turns = open();
    add(turnPriority.behind, "a0", "b0");
    const change = Promise.withResolvers<void>();
    queue.onChange = () => change.promise;
    const correction = correct(turns);
    clock += 1_000;
    expect(await turns.priorityOf(ownerOf("b1"))).toBe(turnPriority.behind);
    expect(await turns.priorityOf(ownerOf("c0"))).toBe(turnPriority.next);
    expect(await turns.longestWaitMs()).toBe(1_000);
    add(turnPriority.next, "c0");
    change.resolve();
    await correction;
    expect(queue.wait).toEqual(["c0", "a0", "b0"]);
  });
});

describe("a job that pauses", () => {
  it("is no turn of its organization until it is due", async () => {
    const turns = open();
    add(turnPriority.next, "a0", "b0");
    const job = await take(turns);
    await take(turns);
    add(turnPriority.next, "b1");
    await putBack(turns, job, 5_000);
    expect(queue.priorityOf("a0")).toBe(turnPriority.behind);
    expect(queue.wait).toEqual(["b1"]);
    clock += 5_000;
    await correct(turns);
    expect([queue.priorityOf("a0"), queue.wait]).toEqual([turnPriority.behind, ["b1"]]);
  });

  it("is the turn of its organization once it is due, before a worker has looked for a job", async () => {
    const turns = open();
    add(turnPriority.next, "a0", "b0");
    add(turnPriority.behind, "b1");
    const paused = await take(turns);
    await putBack(turns, paused, 5_000);
    const job = await take(turns);
    clock += 5_001;
    expect(await turns.priorityOf(ownerOf("a1"))).toBe(turnPriority.behind);
    await putBack(turns, job);
    expect([queue.wait, queue.delayed]).toEqual([["b1"], ["a0", "b0"]]);
    expect(queue.priorityOf("a0")).toBe(turnPriority.next);
  });

  it("is spare work also once it is due", async () => {
    const turns = open();
    queue.add({ ...ownerOf("a0"), isSpare: true }, turnPriority.spare);
    await putBack(turns, await take(turns), 5_000);
    clock += 5_001;
    const changes: string[] = [];
    queue.onChange = (id) => void changes.push(id);
    await correct(turns);
    expect([changes, queue.priorityOf("a0")]).toEqual([[], turnPriority.spare]);
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
  it("of a job's data are none from the begin of its turn to its end", async () => {
    const turns = open();
    queue.add({ project: "old" });
    const { id } = queue.take();
    const job = { id, data: { project: "old", organization: "a" } };
    await turns.beginTurn(job);
    expect(await turns.priorityOf(ownerOf("a0"))).toBe(turnPriority.behind);
    expect(queue.reads).toEqual([]);
    await turns.releaseWorker(job);
    await correct(turns);
    expect(queue.reads).toEqual(["old"]);
  });

  it("of the queue for the priorities of many jobs are those of one", async () => {
    const turns = open();
    add(turnPriority.next, "a0");
    const projects = ["a1", "b0", "b1", "c0", "c1"];
    const priorities = await Promise.all(projects.map((project) => turns.priorityOf(ownerOf(project))));
    const { next, behind } = turnPriority;
    expect(priorities).toEqual([behind, next, behind, next, behind]);
    expect(queue.listings).toBe(listingsOfRead);
  });
});
