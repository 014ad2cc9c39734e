import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { chainsKey, organizationField, recordField, streamKey } from "@ikg/audit";
import { newRecord } from "@ikg/audit/testing";
import { type Gid, newGid } from "@ikg/contracts";
import { setTimeout as wait } from "node:timers/promises";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import {
  namesOf,
  newPlatformKey,
  openTestBed,
  type StoredChain,
  type TestBed,
  verify,
  waitLimits,
} from "./audit-under-test.ts";

let bed: TestBed;
let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  bed = await openTestBed();
  const started = await bed.start();
  ({ url } = started);
  close = () => started.close();
});
afterAll(async () => {
  await bed.close();
});

const names = (count: number, prefix = "r"): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** The chain once it holds so many records. */
const chainOf = (project: Gid, records: number, at = url): Promise<StoredChain> =>
  bed.chainWith(at, project, (names) => names.length >= records);

describe("the audit service", () => {
  it("stores records in batches that verify, in the order of their emission", async () => {
    const project = bed.project();
    const all = names(700);
    await bed.emit(project, all);
    const chain = await chainOf(project, all.length);
    expect(namesOf(chain)).toEqual(all);
    expect(chain.batches.map(({ data }) => data.length)).toEqual([256, 256, 188]);
    expect(await verify(chain)).toMatchObject({ first: 1, last: 3, events: 700, failed: [] });
    await bed.drained(project);
  });

  it("cuts a batch at a mebibyte", async () => {
    const project = bed.project();
    // Records of an earlier version, which had no bound.
    const all = names(5, "x".repeat(400_000));
    for (const name of all)
      await bed.redis.xadd(
        streamKey(project),
        "*",
        recordField,
        JSON.stringify(newRecord(project, name)),
        organizationField,
        bed.organization,
      );
    await bed.redis.sadd(chainsKey, project);
    const chain = await chainOf(project, all.length);
    expect(chain.batches.map(({ data }) => data.length)).toEqual([2, 2, 1]);
    expect((await verify(chain)).failed).toEqual([]);
  });

  it("learns the organization of a chain whose first entries cannot be read", async () => {
    const project = bed.project();
    for (const text of ["no record", "{"]) await bed.redis.xadd(streamKey(project), "*", recordField, text);
    await bed.redis.sadd(chainsKey, project);
    await bed.drained(project);
    await bed.emit(project, ["one"]);
    expect(namesOf(await chainOf(project, 1))).toEqual(["one"]);
    const { status } = await bed.ask(url, `/audit/v1/manifests?project_id=${project}`, bed.account());
    expect(status).toBe(200);
  });

  it("pages, and judges who asks for what", async () => {
    const project = bed.project();
    await bed.emit(project, names(600));
    await chainOf(project, 600);
    const ask = (query: string, caller = bed.agent(project)) =>
      bed.ask(url, `/audit/v1/manifests?${query}`, caller);
    const first = await ask(`project_id=${project}&pagesize=2`);
    expect([first.status, first.body["has_more"]]).toEqual([200, true]);
    const next = await ask(`project_id=${project}&pagesize=2&cursor=${String(first.body["next_cursor"])}`);
    expect(next.body).toMatchObject({ has_more: false, next_cursor: "", items: [{ sequence: 3 }] });
    for (const bad of ["pagesize=0", "pagesize=-1", "pagesize=ten", "cursor=x", "cursor=YWZ0ZXIgMA"])
      expect((await ask(`project_id=${project}&${bad}`)).status).toBe(400);
    expect((await ask(`project_id=${project}&pagesize=5000`)).status).toBe(200);
    expect((await ask("")).status).toBe(400);
    expect((await ask("project_id=mine")).status).toBe(400);
    expect((await ask(`project_id=${newGid("project")}`)).status).toBe(403);
    const empty = newGid("project");
    expect((await ask(`project_id=${empty}`, bed.agent(empty))).body).toEqual({
      items: [],
      has_more: false,
      next_cursor: "",
    });
    expect((await ask(`project_id=${project}`, bed.account())).status).toBe(200);
    expect((await ask(`project_id=${bed.organization}`, bed.account())).status).toBe(200);
    expect((await ask(`project_id=${project}`, bed.account(newGid("organization")))).status).toBe(403);
    expect((await bed.ask(url, "/audit/.well-known/jwks.json?project_id=x")).status).toBe(400);
  });

  it("goes on with another key, and says so in the first batch that it signs", async () => {
    const project = bed.project();
    await bed.emit(project, ["one"]);
    await chainOf(project, 1);
    await close();
    const other = await bed.start({ AUDIT_PLATFORM_KEY_JWK: newPlatformKey() });
    ({ url } = other);
    close = () => other.close();
    await bed.emit(project, ["two"]);
    const chain = await chainOf(project, 3);
    expect(namesOf(chain)).toEqual(["one", "audit.signing.rotated", "two"]);
    expect(chain.keys.keys).toHaveLength(2);
    expect((await verify(chain)).failed).toEqual([]);
  });

  it("never forks a chain, whichever writer believes to have it", async () => {
    const project = bed.project();
    const second = await bed.start();
    const all: string[] = [];
    for (let turn = 0; turn < 30; turn++) {
      const more = names(20, `${turn}/`);
      all.push(...more);
      await bed.emit(project, more);
      // Both now think that the chain is theirs to take.
      await bed.redis.del(`audit:writer:${project}`);
      await wait(20);
    }
    const chain = await chainOf(project, all.length);
    await second.close();
    expect(namesOf(chain).filter((name) => !name.startsWith("audit."))).toEqual(all);
    expect((await verify(chain)).failed).toEqual([]);
    // Both had it, or the test proves nothing.
    const [row] = await bed.run("MATCH (c:_AuditChain {project_id: $project}) RETURN c.fence AS fence", {
      project,
    });
    expect(Number(row?.["fence"])).toBeGreaterThan(2);
  });

  it("signs checkpoints of chains that moved, and none of a head that was changed", async () => {
    const [project, broken] = [bed.project(), bed.project()];
    await bed.emit(project, ["one"]);
    await bed.emit(broken, ["one"]);
    await Promise.all([chainOf(project, 1), chainOf(broken, 1)]);
    await bed.run("MATCH (c:_AuditChain {project_id: $broken}) SET c.head_hash = $other", {
      broken,
      other: "0".repeat(64),
    });
    const other = await bed.start({ AUDIT_CHECKPOINT_SECONDS: "1" });
    const chain = await eventually(
      () => bed.read(other.url, project),
      ({ checkpoints }) => checkpoints.length > 0,
      waitLimits,
    );
    await wait(1_500);
    expect((await bed.read(other.url, broken)).checkpoints).toEqual([]);
    expect((await bed.read(other.url, project)).checkpoints).toHaveLength(1);
    await other.close();
    expect(await verify(chain)).toMatchObject({ checkpoints: 1, failed: [] });
    const cut = { ...chain, manifests: [], batches: [] };
    expect((await verify(cut)).failed.map(({ reason }) => reason)).toContainEqual(
      expect.stringContaining("cut off"),
    );
  });

  it("lets go of old records, and keeps what proves that they were there", async () => {
    const project = bed.project();
    await bed.emit(project, ["old"]);
    await chainOf(project, 1);
    await bed.run(
      "MATCH (b:_AuditBatch) WHERE b.key STARTS WITH $project SET b.kept_since = '2020-01-01T00:00:00.000Z'",
      {
        project,
      },
    );
    const other = await bed.start();
    const chain = await eventually(
      () => bed.read(other.url, project),
      ({ batches }) => batches.length === 0,
      waitLimits,
    );
    await other.close();
    expect(await verify(chain, true)).toMatchObject({ last: 1, batches: 0, failed: [] });
  });
});
