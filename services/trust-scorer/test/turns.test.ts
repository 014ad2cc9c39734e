import { expect, it } from "@jest/globals";
import { type Gid, Problem } from "@ikg/contracts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
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
  turns,
  turnsUntilEnd,
  useTurns,
  withFailure,
} from "./turns-under-test.ts";

useTurns();

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
