import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ActionResults } from "@ikg/contracts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { long } from "../../src/long.ts";
import { capture } from "../../src/requests/capture.ts";
import { withKey } from "../../src/requests/data-plane.ts";
import { evaluate, evaluateAll } from "../../src/requests/evaluate.ts";
import { findResources, findSubjects } from "../../src/requests/find-resources.ts";
import { must } from "../../src/requests/must.ts";
import { takesEffectWithinMs } from "../../src/take-effect.ts";

/** Random graphs, asked over HTTP in every way: who is found is granted, and who is granted is found. */
const graphs = long(2, 25);

const persons = Array.from({ length: 5 }, (_, i) => `p${i}`);
const groups = Array.from({ length: 4 }, (_, i) => `g${i}`);
const files = Array.from({ length: 6 }, (_, i) => `f${i}`);
const actions = ["READ", "WRITE", "SHARE"];

/** A small generator of our own: the same seed gives the same graph. */
const randomOf = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};

const policyOf = (names: readonly string[], cypher: string) => ({
  policy: {
    meta: { policy_version: "2.0-kbac" },
    subject: { type: "Person" },
    actions: names,
    resource: { type: "File" },
    condition: { cypher },
  },
});

const ref = (type: string) => (external_id: string) => ({ type, external_id });
const graphOf = (seed: number) => {
  const random = randomOf(seed);
  const edges = (
    type: string,
    sources: ReturnType<ReturnType<typeof ref>>[],
    targets: typeof sources,
    share: number,
  ) =>
    sources.flatMap((source) =>
      targets.flatMap((target) =>
        source.external_id !== target.external_id && random() < share ? [{ source, target, type }] : [],
      ),
    );
  const [p, g, f] = [persons.map(ref("Person")), groups.map(ref("Group")), files.map(ref("File"))];
  return {
    nodes: [
      ...p.map((each) => ({ ...each, properties: [{ type: "level", value: Math.floor(random() * 5) }] })),
      ...g,
      ...f.map((each) => ({ ...each, properties: [{ type: "level", value: Math.floor(random() * 5) }] })),
    ],
    relationships: [
      ...edges("MEMBER_OF", p, g, 0.3),
      ...edges("MEMBER_OF", g, g, 0.2),
      ...edges("MAY_READ", g, f, 0.25),
      ...edges("OWNS", p, f, 0.15),
    ],
  };
};

const post = async <T>(tenant: Tenant, path: string, json: object): Promise<T> =>
  must<T>(await withKey(`/access/v1/${path}`, tenant, { json }), 200);

type IsGranted = (subject: string, resource: string, action: string) => boolean;

const question = ({ s, r, a }: { readonly s: string; readonly r: string; readonly a: string }) => ({
  subject: { type: "Person", id: s },
  resource: { type: "File", id: r },
  action: { name: a },
});

/** Writes nodes of another type, and files that no subject may see: they change no answer. */
const keepWriting = async (tenant: Tenant, over: AbortSignal): Promise<void> => {
  for (let n = 0; !over.aborted; n++)
    await capture({ nodes: [ref("Noise")(`n${n % 50}`), ref("File")(`zz${n % 50}`)] }, tenant);
};

const requireResources = async (
  tenant: Tenant,
  s: string,
  a: string,
  isGranted: IsGranted,
): Promise<void> => {
  const search = { subject: { type: "Person", id: s }, resource: { type: "File" }, action: { name: a } };
  const wanted = files.filter((r) => isGranted(s, r, a));
  expect([s, a, await findResources(search, tenant)]).toEqual([s, a, wanted]);
  expect(await findResources(search, tenant, 2)).toEqual(wanted);
};

const requireSubjects = async (tenant: Tenant, r: string, a: string, isGranted: IsGranted): Promise<void> => {
  const search = { subject: { type: "Person" }, resource: { type: "File", id: r }, action: { name: a } };
  const found = await findSubjects(search, tenant);
  expect([r, a, found]).toEqual([r, a, persons.filter((s) => isGranted(s, r, a))]);
};

const requireActions = async (tenant: Tenant, s: string, r: string, isGranted: IsGranted): Promise<void> => {
  const { results } = await post<ActionResults>(tenant, "search/action", {
    subject: { type: "Person", id: s },
    resource: { type: "File", id: r },
  });
  expect(results.map(({ name }) => name)).toEqual(actions.filter((a) => isGranted(s, r, a)).toSorted());
};

describe.each(Array.from({ length: graphs }, (_, i) => i + 1))("random graph %d", (seed) => {
  let tenant: Tenant;

  beforeAll(async () => {
    tenant = await createTenant("duality");
    await capture(graphOf(seed), tenant);
    for (const policy of [
      policyOf(["READ"], "MATCH (subject:Person)-[:MEMBER_OF*1..3]->(:Group)-[:MAY_READ]->(resource:File)"),
      policyOf(["READ", "WRITE"], "MATCH (subject:Person)-[:OWNS]->(resource:File)"),
      policyOf(
        ["SHARE"],
        "MATCH (subject:Person), (resource:File) WHERE subject.property.level > resource.property.level AND NOT EXISTS { (subject)-[:OWNS]->(resource) }",
      ),
    ])
      await savePolicy(tenant.projectId, policy);
    await wait(takesEffectWithinMs);
  });
  afterAll(() => tenant?.remove());

  it("says the same in every way, also while another client writes", async () => {
    const pairs = persons.flatMap((s) => files.flatMap((r) => actions.map((a) => ({ s, r, a }))));
    const over = new AbortController();
    const writing = keepWriting(tenant, over.signal);
    try {
      const decisions = await evaluateAll(pairs.map(question), tenant);
      const granted = new Set(
        pairs.filter((_, i) => decisions[i]?.decision).map((each) => JSON.stringify(each)),
      );
      const isGranted: IsGranted = (s, r, a) => granted.has(JSON.stringify({ s, r, a }));
      for (const each of pairs.filter((_, i) => i % 7 === seed % 7)) {
        const { decision } = await evaluate(question(each), tenant);
        expect([each, decision]).toEqual([each, isGranted(each.s, each.r, each.a)]);
      }
      for (const a of actions) {
        for (const s of persons) await requireResources(tenant, s, a, isGranted);
        for (const r of files) await requireSubjects(tenant, r, a, isGranted);
      }
      for (const s of persons) for (const r of files) await requireActions(tenant, s, r, isGranted);
      expect(granted.size).toBeGreaterThan(0);
      expect(granted.size).toBeLessThan(pairs.length);
    } finally {
      over.abort();
      await writing;
    }
  });
});
