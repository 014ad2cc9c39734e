import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { collectionPaths, isNameless, make } from "../../src/configuration/collections.ts";
import { removeParents, type Parents, createParents } from "../../src/configuration/parents.ts";
import { type Sample, samplesOf } from "../../src/configuration/samples.ts";
import { freshName } from "../../src/fresh-name.ts";
import { asAccount, type Account } from "../../src/requests/account.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin } from "../../src/requests/clients.ts";
import { type ConfigRecord, ownAccount } from "../../src/requests/configs.ts";
import { expectRefusal, type Refusal } from "../../src/requests/envelope.ts";
import { evaluate } from "../../src/requests/evaluate.ts";
import { execute, tryExecute } from "../../src/requests/execute.ts";
import { findResources } from "../../src/requests/find-resources.ts";
import { must } from "../../src/requests/must.ts";
import type { Sending } from "../../src/requests/send.ts";
import { createOrganization } from "../../src/suites/start-beside.ts";
import { takeEffect } from "../../src/take-effect.ts";

/**
 * Two organizations whose projects, records and data have the same names never see
 * each other. One node of each is only there, so that a look across would find something.
 */
interface Side {
  readonly account: Account;
  readonly parents: Parents;
  readonly samples: ReadonlyMap<string, Sample>;
  /** Ids of one record of each collection, and of the organization. */
  readonly ids: ReadonlyMap<string, string>;
  /** Id of a query that both have under the name `cars`. */
  readonly queryId: string;
  /** The car that the other one does not have. */
  readonly ownCar: string;
}
type Which = "left" | "right";
const whichever: readonly Which[] = ["left", "right"];
const otherOf: Readonly<Record<Which, Which>> = { left: "right", right: "left" };

const name = freshName("same");
const parentsName = freshName("same-parents");
const sides = new Map<Which, Side>();
const removals: (() => Promise<unknown>)[] = [];

const of = (which: Which): Side => {
  const side = sides.get(which);
  if (side === undefined) throw new Error(`no ${which} side`);
  return side;
};
const valueOf = <T>(map: ReadonlyMap<string, T>, path: string): T => {
  const value = map.get(path);
  if (value === undefined) throw new Error(`nothing for ${path}`);
  return value;
};

const person = { type: "Person", external_id: "ann" };
const car = (external_id: string) => ({ type: "Car", external_id });

const settle = async (account: Account, ownCar: string): Promise<Side> => {
  const parents = await createParents(account, parentsName);
  removals.unshift(() => removeParents(account, parents));
  const samples = new Map((await samplesOf(account, parents)).map((sample) => [sample.path, sample]));
  const ids = new Map([["/organizations", account.organizationId]]);
  for (const [path, sample] of samples) {
    const { id } = await make(account, path, sample.body(name));
    ids.set(path, id);
    if (["/projects", "/service-accounts"].includes(path))
      removals.unshift(() => asAccount(account, `${path}/${id}`, { method: "DELETE" }));
  }
  const reads = { nodes: ["c.external_id"] };
  const admin = openAdmin(parents.projectId, account);
  const { id: policy_id } = await admin.policies.create({
    name: "cars",
    status: "ACTIVE",
    policy: {
      meta: { policy_version: "1.0-ciq" },
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application) MATCH (c:Car)" },
      allowed_reads: reads,
    },
  });
  const query = { name: "cars", policy_id, query: reads, status: "ACTIVE" } as const;
  const { id: queryId } = await admin.queries.create(query);
  await capture(
    {
      nodes: [person, car("shared"), car(ownCar)],
      relationships: ["shared", ownCar].map((id) => ({ source: person, target: car(id), type: "OWNS" })),
    },
    parents,
  );
  return { account, parents, samples, ids, queryId, ownCar };
};

beforeAll(async () => {
  const stranger = await createOrganization();
  removals.unshift(() => stranger.remove());
  sides.set("left", await settle(ownAccount(), "left-car"));
  sides.set("right", await settle(stranger, "right-car"));
  await takeEffect();
}, 60_000);
afterAll(async () => {
  for (const remove of removals) await remove();
});

const absent: Refusal = { status: 404, message: "Not Found" };
/** A record without what the runs of its profile note of themselves, which goes on meanwhile. */
const withoutRuns = (record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([name]) => !/^(current_run|last_run_|dimensions_execution_times)/.test(name),
    ),
  );

describe.each(whichever)("the other organization's, seen from the %s", (which) => {
  describe.each(collectionPaths)("%s", (path) => {
    it("is 404 by id, name and parent", async () => {
      const { account, samples } = of(which);
      const { ids, samples: theirs, account: them } = of(otherOf[which]);
      const id = valueOf(ids, path);
      const { scope, scopeId } = valueOf(theirs, path);
      const before = withoutRuns(must(await asAccount(them, `${path}/${id}`), 200));
      const json = valueOf(samples, path).change();
      const requests: readonly (readonly [string, Sending])[] = [
        [`${path}/${id}`, {}],
        [`${path}/${id}?version=1`, {}],
        ...(isNameless(path) ? [] : [[`${path}/${id}`, { method: "PUT", json }] as const]),
        [`${path}/${id}`, { method: "DELETE" }],
        [`${path}?${scope}=${scopeId}`, {}],
        ...(isNameless(path) ? [] : [[`${path}/${name}?${scope}=${scopeId}`, {}] as const]),
      ];
      await inParallel(requests, async ([at, sending]) =>
        expectRefusal(await asAccount(account, at, sending), absent),
      );
      expect(withoutRuns(must(await asAccount(them, `${path}/${id}`), 200))).toEqual(before);
    });

    it("cannot be referred to", async () => {
      const { account, samples, ids: own } = of(which);
      const { ids } = of(otherOf[which]);
      const { body, change, references } = valueOf(samples, path);
      expect(Object.keys(references).length).toBeGreaterThan(0);
      for (const [field, collection] of Object.entries(references)) {
        const theirs = valueOf(ids, collection);
        const refusal = { ...absent, errors: [`${field}: not found`] };
        const created = { ...body(freshName("across")), [field]: theirs };
        expectRefusal(await asAccount(account, path, { json: created }), refusal);
        if (!(field in change())) continue;
        const json = { ...change(), [field]: theirs };
        const at = `${path}/${valueOf(own, path)}`;
        expectRefusal(await asAccount(account, at, { method: "PUT", json }), refusal);
      }
    });

    it("is in no list, and the same name is one's own record", async () => {
      const { account, samples, ids: own } = of(which);
      const { ids, account: them } = of(otherOf[which]);
      const { scope, scopeId } = valueOf(samples, path);
      const answer = await asAccount(account, path);
      const listed = must<{ data: ConfigRecord[] }>(answer, 200).data.map(({ id }) => id);
      expect(listed).toContain(valueOf(own, path));
      for (const id of [...ids.values(), them.organizationId]) expect(answer.text).not.toContain(id);
      if (isNameless(path)) return;
      const named = await asAccount(account, `${path}/${name}?${scope}=${scopeId}`);
      expect(must<ConfigRecord>(named, 200).id).toBe(valueOf(own, path));
    });
  });

  it("/organizations is 404, and the current one is one's own", async () => {
    const { account } = of(which);
    const { organizationId } = of(otherOf[which]).account;
    expectRefusal(await asAccount(account, `/organizations/${organizationId}`), absent);
    expect(await asAccount(account, "/organizations/current")).toMatchObject({
      status: 200,
      body: { id: account.organizationId },
    });
  });
});

describe.each(whichever)("the other organization's, seen from the %s", (which) => {
  describe("data", () => {
    const question = (id: string) => ({
      subject: { type: "Person", id: "ann" },
      action: { name: "READ" },
      resource: { type: "Car", id },
    });

    it("is decided on, searched and read by no other key", async () => {
      const { parents, ownCar } = of(which);
      const { ownCar: theirs } = of(otherOf[which]);
      const decisions = await inParallel(["shared", ownCar, theirs], (id) => evaluate(question(id), parents));
      expect(decisions).toEqual([{ decision: true }, { decision: true }, { decision: false }]);
      const found = await findResources(question("ignored"), parents);
      expect(found.toSorted()).toEqual([ownCar, "shared"].toSorted());
      const rows = await execute({ id: "cars" }, parents);
      expect(new Set(rows.map(({ nodes }) => nodes["c.external_id"]))).toEqual(new Set(found));
    });

    it("is read by none of their queries", async () => {
      const answer = await tryExecute({ id: of(otherOf[which]).queryId }, of(which).parents);
      expectRefusal(answer, { ...absent, errors: ["id: knowledge query not found"] });
    });

    it("is not touched by what is written under the same names", async () => {
      const { parents } = of(which);
      const { parents: theirs, ownCar } = of(otherOf[which]);
      const mine = car(freshName("written"));
      await capture(
        { nodes: [mine], relationships: [{ source: person, target: mine, type: "OWNS" }] },
        parents,
      );
      expect(await evaluate(question(mine.external_id), parents)).toEqual({ decision: true });
      expect(await evaluate(question(mine.external_id), theirs)).toEqual({ decision: false });
      expect(await findResources(question("ignored"), theirs)).toContain(ownCar);
      expect(await findResources(question("ignored"), theirs)).not.toContain(mine.external_id);
    });

    it("has no relationship across", async () => {
      const { parents } = of(which);
      const { ownCar: theirs } = of(otherOf[which]);
      const relationship = { source: person, target: car(theirs), type: "OWNS" };
      await expect(capture({ nodes: [], relationships: [relationship] }, parents)).rejects.toMatchObject({
        status: 422,
      });
    });
  });
});
