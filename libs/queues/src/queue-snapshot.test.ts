import { beforeEach, expect, it } from "@jest/globals";
import { type FakeData, FakeQueue } from "../test/fake-queue.ts";
import { openSnapshots, type OrganizationQueue, type Snapshots } from "./queue-snapshot.ts";
import { turnPriority } from "./turn-priorities.ts";

let queue: FakeQueue;
let clock: number;
let snapshots: Snapshots<FakeData>;

beforeEach(() => {
  clock = 1;
  queue = new FakeQueue(() => clock);
  snapshots = open({});
});

/** Snapshots of the queue, with something that happens before or after a command. */
const open = (changes: Partial<OrganizationQueue<FakeData>>): Snapshots<FakeData> =>
  openSnapshots(
    {
      getRanges: (types, start, end) => queue.getRanges(types, start, end),
      getCountsPerPriority: (priorities) => queue.getCountsPerPriority(priorities),
      getDelayedCount: (before) => queue.getDelayedCount(before),
      getJob: (id) => queue.getJob(id),
      ...changes,
    },
    ({ isSpare = false }) => !isSpare,
    () => clock,
  );

const add = (priority: number, ...projects: string[]): void => {
  for (const project of projects) queue.add({ project, organization: "a" }, priority);
};

/** The ids of a snapshot, by list. */
const readIds = async (of = snapshots) => {
  const { active, next, behind } = await of.read();
  const idsOf = (jobs: typeof active): readonly string[] => jobs.map(({ id }) => id);
  return { active: idsOf(active), next: idsOf(next), behind: idsOf(behind) };
};

it("each job that takes turns is in one list; delayed ones are the last, once they are due", async () => {
  add(turnPriority.behind, "p2");
  queue.add({ project: "spare", isSpare: true }, turnPriority.spare);
  add(turnPriority.next, "p0", "p1", "due0", "due1", "paused");
  for (let job = 0; job < 5; job++) queue.take();
  queue.stall("p1");
  queue.putBack("due0", 2);
  queue.putBack("due1", 1);
  queue.putBack("paused", 60_000);
  clock += 3;
  expect(await readIds()).toEqual({ active: ["p0"], next: ["p1"], behind: ["p2", "due1", "due0"] });
});

it("a job that another process promotes during a read is not missing", async () => {
  add(turnPriority.next, "p0");
  add(turnPriority.behind, "p1", "p2");
  const promoting = open({
    getCountsPerPriority: async (priorities) => {
      const counts = await queue.getCountsPerPriority(priorities);
      await (await queue.getJob("p2"))?.changePriority({ priority: turnPriority.next });
      return counts;
    },
  });
  expect(await readIds(promoting)).toEqual({ active: [], next: ["p0"], behind: ["p2", "p1"] });
});

it("a job that another process takes during a read is active, and in no other list", async () => {
  add(turnPriority.next, "p0", "p1");
  const taking = open({
    getRanges: (types, start, end) => {
      if (types.includes("active")) queue.take();
      return queue.getRanges(types, start, end);
    },
  });
  expect(await readIds(taking)).toEqual({ active: ["p0"], next: ["p1"], behind: [] });
});

it("the data of a job is read once; without an organization, once in 5 s", async () => {
  add(turnPriority.next, "p0", "p1");
  queue.add({ project: "old" });
  for (; clock <= 5_000; clock += 1_000) await snapshots.read();
  expect(queue.reads.toSorted()).toEqual(["old", "p0", "p1"]);
  clock += 1_000;
  await snapshots.read();
  expect(queue.reads.toSorted()).toEqual(["old", "old", "p0", "p1"]);
});

it("the data of a job whose owner is known is not read, until the owner is removed", async () => {
  queue.add({ project: "old" });
  const owner = snapshots.ownerOf({ id: "old", data: { project: "old", organization: "a" } });
  expect((await snapshots.read()).next).toEqual([owner]);
  expect(queue.reads).toEqual([]);
  snapshots.removeOwner(owner);
  expect((await snapshots.read()).next).toEqual([{ ...owner, organization: "old" }]);
});
