import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { chainsKey, organizationField, recordField, streamKey } from "@ikg/audit";
import { newRecord } from "@ikg/audit/testing";
import type { Gid } from "@ikg/contracts";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import {
  namesOf,
  openTestBed,
  type StoredChain,
  type TestBed,
  verify,
  waitLimits,
} from "./audit-under-test.ts";

/** A Redis that took over from another whose clock was ahead, or that brings back what was stored. */
let bed: TestBed;

beforeAll(async () => {
  bed = await openTestBed();
});
afterAll(async () => {
  await bed.close();
});

const chainOf = (url: string, project: Gid, records: number): Promise<StoredChain> =>
  bed.chainWith(url, project, (names) => names.length >= records);

it("records that it takes are stored, although their ids are before the last stored one: a new writer", async () => {
  const project = bed.project();
  const first = await bed.start();
  await bed.emit(project, ["a", "b", "c"]);
  await chainOf(first.url, project, 3);
  await bed.drained(project);
  await first.close();
  await bed.run("MATCH (c:_AuditChain {project_id: $project}) SET c.position = '9999999999999-0'", {
    project,
  });
  await bed.emit(project, ["d", "e"]);
  const second = await bed.start();
  const chain = await chainOf(second.url, project, 5);
  expect(namesOf(chain)).toEqual(["a", "b", "c", "d", "e"]);
  expect((await verify(chain)).failed).toEqual([]);
  await bed.drained(project);
  // From here on the ids are in order again.
  await bed.emit(project, ["f"]);
  expect(namesOf(await chainOf(second.url, project, 6))).toEqual(["a", "b", "c", "d", "e", "f"]);
  await second.close();
});

it("the same while a writer has the chain", async () => {
  const project = bed.project();
  const started = await bed.start();
  await bed.emit(project, ["a"]);
  await chainOf(started.url, project, 1);
  await bed.drained(project);
  await bed.redis.del(streamKey(project));
  for (const [id, name] of [
    ["1-1", "b"],
    ["1-2", "c"],
  ] as const)
    await bed.redis.xadd(
      streamKey(project),
      id,
      recordField,
      JSON.stringify(newRecord(project, name)),
      organizationField,
      bed.organization,
    );
  await bed.redis.sadd(chainsKey, project);
  expect(namesOf(await chainOf(started.url, project, 3))).toEqual(["a", "b", "c"]);
  await started.close();
});

it("records that it brings back are not stored twice", async () => {
  const project = bed.project();
  const names = Array.from({ length: 600 }, (_, index) => `r${index}`);
  await bed.emit(project, names);
  const entries = await bed.redis.xrange(streamKey(project), "-", "+");
  const first = await bed.start();
  await chainOf(first.url, project, names.length);
  await bed.drained(project);
  await first.close();
  await bed.redis.del(streamKey(project));
  for (const [id, fields] of entries) await bed.redis.xadd(streamKey(project), id, ...fields);
  await bed.redis.sadd(chainsKey, project);
  await bed.emit(project, ["last"]);
  const second = await bed.start();
  const chain = await chainOf(second.url, project, names.length + 1);
  expect(namesOf(chain)).toEqual([...names, "last"]);
  expect((await verify(chain)).failed).toEqual([]);
  await bed.drained(project);
  await second.close();
});

it("a chain of which nothing waits is looked after no more", async () => {
  const project = bed.project();
  const started = await bed.start();
  await bed.emit(project, ["a"]);
  expect(await bed.redis.sismember(chainsKey, project)).toBe(1);
  await chainOf(started.url, project, 1);
  await eventually(
    () => bed.redis.sismember(chainsKey, project),
    (isMember) => isMember === 0,
    waitLimits,
  );
  expect(await bed.redis.exists(streamKey(project))).toBe(0);
  await bed.emit(project, ["b"]);
  expect(namesOf(await chainOf(started.url, project, 2))).toEqual(["a", "b"]);
  await started.close();
});
