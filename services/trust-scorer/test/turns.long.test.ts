import { expect, it } from "@jest/globals";
import { Problem } from "@ikg/contracts";
import { SchemaMismatch } from "@ikg/graph";
import { openOrganizationTurns, turnPriority } from "@ikg/queues";
import { freeRanges } from "../src/free-ranges.ts";
import type { Scorer } from "../src/scorer.ts";
import { enqueueProject, takeTurn, type TurnParts } from "../src/take-turn.ts";
import { addTurn, takesTurns, type TurnQueues } from "../src/turn-job.ts";
import {
  addFurtherPlace,
  bed,
  begin,
  beginMany,
  jobOf,
  manyProjects,
  messages,
  next,
  note,
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
  withFailure,
} from "./turns-under-test.ts";

useTurns();

const pauses = "a run of trust scores pauses: its database cannot be used";
const goesOn = "a run of trust scores resumes";

it("organizations take turns also where several processes add projects of one at the same moment", async () => {
  const many = await beginMany(manyProjects(4));
  const openProcess = (): TurnQueues => ({
    turns,
    organizations: openOrganizationTurns(turns, (error) => note(error.message), takesTurns),
  });
  await Promise.all(many.map((each) => addTurn(openProcess(), ownerOf(each))));
  const small = await begin("Person", 3);
  await addTurn(parts, ownerOf(project));
  expect((await turnsUntilEnd(small)).length).toBeLessThanOrEqual(3);
}, 60_000);

it("a job of 0.2.0 is the turn of an organization with its project alone, and has its organization then", async () => {
  const many = await beginMany(3);
  for (const each of many) await addTurn(parts, ownerOf(each));
  const small = await begin("Person", 3);
  await addTurn(parts, { project: project.id });
  expect((await jobOf(project.id, 0)).data).not.toHaveProperty("organization");
  expect((await turnsUntilEnd(small)).length).toBeLessThanOrEqual(2);
  expect((await jobOf(project.id, 0)).data.organization).toBe(project.organizationId);
}, 60_000);

it("a run whose ranges are all scored is left to the place that has one of them", async () => {
  const run = await begin("Person", 3);
  await running.scorer.records.progress(run, 0, 3, true);
  await addTurn(parts, ownerOf(project));
  const job = await next();
  const further = { project: project.id, place: 1 };
  expect(await freeRanges(parts, further)).toEqual([rangeOf(run)]);
  await job.updateData({ ...job.data, range: { ...rangeOf(run), range: 7 } });
  expect(await freeRanges(parts, further)).toEqual([]);
  expect(await freeRanges(parts, job.data)).toEqual([rangeOf(run)]);
});

it("jobs of a project that the queue has already cost no look at the queue", async () => {
  await addTurn(parts, ownerOf(project));
  const priorityOf = (): Promise<never> => Promise.reject(new Error("a look"));
  const queues = { turns, organizations: { ...parts.organizations, priorityOf } };
  await addTurn(queues, ownerOf(project));
  await expect(addTurn(queues, ownerOf(await bed.project()))).rejects.toThrow("a look");
});

it("the catalog is read only where the job of the turns of a project is missing, or has no organization", async () => {
  const reads: string[] = [];
  const projects: Scorer["projects"] = {
    project: (id) => {
      reads.push(id);
      return parts.scorer.projects.project(id);
    },
  };
  const counting = { ...parts, scorer: { ...parts.scorer, projects } };
  await enqueueProject(counting, project.id);
  expect(reads).toEqual([project.id]);
  await (await jobOf(project.id, 2)).remove();
  await enqueueProject(counting, project.id);
  expect(reads).toEqual([project.id]);
  const owner = ownerOf(project);
  expect((await jobOf(project.id, 2)).data).toMatchObject({ ...owner, place: 2 });
  await (await jobOf(project.id, 0)).updateData({ project: project.id, place: 0 });
  await (await jobOf(project.id, 3)).remove();
  await enqueueProject(counting, project.id);
  expect(reads).toEqual([project.id, project.id]);
  expect((await jobOf(project.id, 3)).data).toMatchObject({ ...owner, place: 3 });
});

it("a further place keeps its low priority after a turn, also one that 0.2.0 added", async () => {
  await begin("Person", 300);
  await addFurtherPlace(project);
  await (await jobOf(project.id, 1)).changePriority({ priority: turnPriority.behind });
  const job = await next();
  await addTurn(parts, ownerOf(await bed.project()));
  expect(await take(job)).toBe(true);
  expect((await jobOf(project.id, 1)).priority).toBe(turnPriority.spare);
}, 60_000);

it("failures of a job are counted until a turn works", async () => {
  await begin("Person", 3);
  await addTurn(parts, ownerOf(project));
  const job = await next();
  const failing = {
    ...parts,
    tracing: { ...parts.tracing, job: () => Promise.reject(new Error("a fault")) },
  };
  for (const failures of [1, 2]) {
    await expect(takeTurn(failing, job, token)).rejects.toThrow("a fault");
    expect((await jobOf(project.id, 0)).data.failures).toBe(failures);
  }
  expect(await take(job)).toBe(true);
  expect((await jobOf(project.id, 0)).data).not.toHaveProperty("failures");
});

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
    new Problem("unavailable", { cause: new SchemaMismatch("the data has schema version 9") }),
  );
  await addTurn(parts, ownerOf(project));
  expect(await take(await next(), refused)).toBe(true);
  const job = await jobOf(project.id, 0);
  expect([job.data.outages, Math.round(job.delay / 1_000)]).toEqual([1, 5]);
  expect(messages).toEqual([pauses]);
});

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
