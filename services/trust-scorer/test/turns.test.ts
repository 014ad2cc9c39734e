import { expect, it } from "@jest/globals";
import { type Gid, Problem } from "@ikg/contracts";
import { SchemaMismatch } from "@ikg/graph";
import { turnPriority } from "@ikg/queues";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import type { Scorer } from "../src/scorer.ts";
import { takeTurn, type TurnParts } from "../src/take-turn.ts";
import { addTurn, turnId } from "../src/turn-job.ts";
import {
  addFurtherPlace,
  bed,
  begin,
  beginMany,
  jobOf,
  manyProjects,
  messages,
  next,
  openRun,
  ownerOf,
  parts,
  project,
  rangeOf,
  running,
  take,
  token,
  turns,
  turnsUntilEnd,
  useTurns,
} from "./turns-under-test.ts";

useTurns();

/** Parts whose databases of projects fail in this way. */
const withFailure = (problem: Problem): TurnParts => {
  const fail = (): Promise<never> => Promise.reject(problem);
  const graph = { of: () => ({ read: fail, write: fail }) } as unknown as Scorer["graph"]; // all that a range calls
  return { ...parts, scorer: { ...parts.scorer, graph } };
};

const pauses = "a run of trust scores pauses: its database cannot be used";
const goesOn = "a run of trust scores resumes";

it("a run whose last worker was killed before its end is ended by a turn of its project, while another run is open", async () => {
  const [killed, other] = [await begin("Person", 3), await begin("Car", 3)];
  await running.scorer.records.progress(killed, 0, 3, true);
  await addTurn(parts, ownerOf(project));
  const job = await next();
  await job.updateData({ ...job.data, range: rangeOf(other) });
  expect(await take(job)).toBe(true);
  expect(await openRun(killed)).toBeUndefined();
  expect(await openRun(other)).toBeDefined();
  expect(await take(await next())).toBe(true);
  expect(await openRun(other)).toBeUndefined();
  expect(await take(await next())).toBe(false);
  expect(await turns.getJob(turnId(project.id, 0))).toBeUndefined();
});

it("a further place that yields leaves its range to the turn of its project", async () => {
  const nodes = isLongRun() ? 300 : 150;
  const run = await begin("Person", nodes);
  await addFurtherPlace(project);
  const job = await next();
  expect(job.data.place).toBe(1);
  const other = await bed.project();
  await addTurn(parts, ownerOf(other));
  expect(await take(job)).toBe(true);
  expect(await project.countScores()).toBeGreaterThan(0);
  expect(await openRun(run)).toBeDefined();
  expect((await jobOf(project.id, 1)).data.range).toBeUndefined();
  // Behind the other project, whose turn finds nothing.
  const first = await next();
  expect(first.data.project).toBe(other.id);
  expect(await take(first)).toBe(false);
  const second = await next();
  expect(second.data).toEqual({ ...ownerOf(project), place: 0 });
  expect(await take(second)).toBe(true);
  expect(await openRun(run)).toBeUndefined();
  expect(await project.countScores()).toBe(nodes);
}, 60_000);

it("organizations take turns: a small run does not wait for the many projects of another organization", async () => {
  const many = await beginMany(manyProjects(2));
  for (const each of many) await addTurn(parts, ownerOf(each));
  const small = await begin("Person", 3);
  await addTurn(parts, ownerOf(project));
  const taken = await turnsUntilEnd(small);
  expect(taken.at(-1)).toBe(project.id);
  expect(taken.length).toBeLessThanOrEqual(2);
}, 60_000);

it("the projects of an organization take turns, whether another organization has work or not", async () => {
  // So many that no run ends within the turns of this test, also where a machine is slow to end a turn.
  const nodes = isLongRun() ? 3_000 : 1_500;
  const many = await beginMany(isLongRun() ? 3 : 2, nodes);
  for (const each of many) await addTurn(parts, ownerOf(each));
  const order: Gid[] = [];
  for (let turn = 0; turn < 2 * many.length; turn++) {
    const job = await next();
    order.push(job.data.project);
    expect(await take(job)).toBe(true);
  }
  const ids = many.map(({ id }) => id);
  expect(order).toEqual([...ids, ...ids]);
  await begin("Person", nodes);
  await addTurn(parts, ownerOf(project));
  const beside: Gid[] = [];
  for (let turn = 0; turn < 2 * many.length; turn++) {
    const job = await next();
    beside.push(job.data.project);
    expect(await take(job)).toBe(true);
  }
  expect(beside.filter((id) => id === project.id)).toHaveLength(many.length);
  expect(new Set(beside)).toEqual(new Set([...ids, project.id]));
}, 60_000);

it("a project whose database is unavailable pauses for longer after each turn, and says so once", async () => {
  await begin("Person", 3);
  await project.setStatus("PENDING");
  // It waits with a lower priority all the time.
  await addFurtherPlace(await bed.project());
  await addTurn(parts, ownerOf(project));
  for (const [turn, seconds] of [5, 10, 20, 40, 60, 60].entries()) {
    expect(await take(await next())).toBe(true);
    const job = await jobOf(project.id, 0);
    expect([job.data.outages, Math.round(job.delay / 1_000)]).toEqual([turn + 1, seconds]);
    expect(job.priority).toBe(turnPriority.behind);
    await job.promote();
  }
  expect(messages).toEqual([pauses]);
  await project.setStatus("ACTIVE");
  expect(await take(await next())).toBe(true);
  expect((await jobOf(project.id, 0)).data).not.toHaveProperty("outages");
  expect(messages.filter((message) => [pauses, goesOn].includes(message))).toEqual([pauses, goesOn]);
  expect(await project.countScores()).toBe(3);
}, 60_000);

it("a project whose database has a schema version that is refused holds no worker, though nothing waits", async () => {
  await begin("Person", 3);
  const refused = withFailure(
    new Problem("unavailable", { cause: new SchemaMismatch("the data is of schema version 9") }),
  );
  await addTurn(parts, ownerOf(project));
  expect(await take(await next(), refused)).toBe(true);
  const job = await jobOf(project.id, 0);
  expect([job.data.outages, Math.round(job.delay / 1_000)]).toEqual([1, 5]);
  expect(messages).toEqual([pauses]);
});

it("the turns of a deleted project end, also while its database is unavailable", async () => {
  await begin("Person", 3);
  await addTurn(parts, ownerOf(project));
  const turn = take(await next(), withFailure(new Problem("unavailable")));
  await eventually(
    () => messages,
    (all) => all.length > 0,
    { withinMs: 20_000, everyMs: 10 },
  );
  project.remove();
  expect(await turn).toBe(true);
  await (await jobOf(project.id, 0)).promote();
  expect(await take(await next())).toBe(false);
  expect(await turns.getJob(turnId(project.id, 0))).toBeUndefined();
}, 30_000);

it("a turn that fails ends once, and with its reason also where its end cannot be noted", async () => {
  await begin("Person", 3);
  await addTurn(parts, ownerOf(project));
  const job = await next();
  let ends = 0;
  const failing = {
    ...parts,
    organizations: { ...parts.organizations, endTurn: async () => void (ends += 1) },
    tracing: { ...parts.tracing, job: () => Promise.reject(new Error("a fault")) },
  };
  await expect(takeTurn(failing, job, token)).rejects.toThrow("a fault");
  expect(ends).toBe(1);
  const update = job.updateData.bind(job);
  let updates = 0;
  // The first one notes the range of the turn, the second one its end.
  job.updateData = async (data) => {
    updates += 1;
    if (updates === 2) throw new Error("Redis is unavailable");
    await update(data);
  };
  await expect(takeTurn(failing, job, token)).rejects.toThrow("a fault");
  expect(messages).toContain("the end of a turn could not be noted in its job");
});

it("a turn that finds no free range releases its worker", async () => {
  await addTurn(parts, ownerOf(project));
  const releases: unknown[] = [];
  const releaseWorker: TurnParts["organizations"]["releaseWorker"] = async ({ id }) => void releases.push(id);
  const job = await next();
  expect(await take(job, { ...parts, organizations: { ...parts.organizations, releaseWorker } })).toBe(false);
  expect(releases).toEqual([job.id]);
});
