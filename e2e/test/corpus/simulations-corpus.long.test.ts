import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { IkgError, type ResultRow, type Simulation, type SimulationFields, type Value } from "@ikg/client";
import type { SimulatedQuery } from "@ikg/contracts";
import { corpusIsAbsent } from "../../../stack/src/testing/corpus.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { writes } from "../../src/corpus/demands.ts";
import { type Entry, type PolicyEntry, policyToSave, type QueryEntry } from "../../src/corpus/entry.ts";
import { type CorpusGraph, readEntries, readGraph } from "../../src/corpus/read.ts";
import { type Variant, variantsOf } from "../../src/corpus/variants.ts";
import { capture } from "../../src/requests/capture.ts";
import { openAdmin, openIkg } from "../../src/requests/clients.ts";
import { execute, type Execution } from "../../src/requests/execute.ts";
import { takeEffect } from "../../src/take-effect.ts";
import { createTokenIssuer, type TokenIssuer } from "../../src/tokens/token-issuer.ts";

/** Graphs with policies, each in a project of its own. */
const folders = ["agents", "demo", "bank"];
/** Other types that the type of each relationship becomes. */
const otherTypes = 4;
const pageSize = 1_000;

type Params = NonNullable<Execution["input_params"]>;

const isQuery = (entry: Entry): entry is QueryEntry => entry.kind === "query";
const isPolicy = (entry: Entry): entry is PolicyEntry => entry.kind !== "query";

/** A variant that is stored beside its policy: decisions under an action of its own, queries under a name of their own. */
interface StoredVariant extends Variant {
  readonly entry: PolicyEntry;
  readonly key: string;
}

interface Loaded {
  readonly graph: CorpusGraph;
  readonly entries: readonly Entry[];
  readonly tenant: Tenant;
  readonly issuer: TokenIssuer;
  readonly variants: readonly StoredVariant[];
  /** Names of queries that could be saved. */
  readonly queries: ReadonlySet<string>;
}

/** What a call returns; undefined where it is refused with one of these statuses. */
const unless = async <T>(statuses: readonly number[], call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof IkgError && statuses.includes(error.status)) return undefined;
    throw error;
  }
};

/** Saves a policy with its queries. @returns the names that were accepted. */
const savePair = async (
  projectId: string,
  name: string,
  policy: object,
  queries: readonly (readonly [string, object])[],
): Promise<readonly string[]> => {
  const admin = openAdmin(projectId);
  const status = "ACTIVE";
  const record = await unless([422], admin.policies.create({ name, policy: JSON.stringify(policy), status }));
  if (record === undefined) return [];
  const saved = [name];
  for (const [query, text] of queries) {
    const fields = { name: query, policy_id: record.id, query: JSON.stringify(text), status } as const;
    if ((await unless([422], admin.queries.create(fields))) !== undefined) saved.push(query);
  }
  return saved;
};

const queriesOf = (entries: readonly Entry[], { id }: PolicyEntry): readonly QueryEntry[] =>
  entries.filter(isQuery).filter((query) => query.paired_with === id);

const load = async (folder: string): Promise<Loaded> => {
  const graph = readGraph(folder);
  const entries = readEntries(folder).map((entry) =>
    isPolicy(entry) ? { ...entry, policy: policyToSave(entry) } : entry,
  );
  const tenant = await createTenant(`simulated-${folder}`);
  const issuer = await createTokenIssuer(tenant.projectId, { ikg_node_type: "User" });
  await capture(graph, tenant);
  const saved: string[] = [];
  const variants: StoredVariant[] = [];
  for (const entry of entries.filter(isPolicy)) {
    const queries = queriesOf(entries, entry);
    const own = queries.map(({ id, query }) => [id, query] as const);
    saved.push(...(await savePair(tenant.projectId, entry.id, entry.policy, own)));
    for (const [index, variant] of variantsOf(entry, graph, otherTypes).entries()) {
      const key = `${entry.id}-v${index}`;
      const actions = entry.policy.actions && [key];
      const text = { ...variant.policy, ...(actions && { actions }) };
      const renamed = queries.map(({ id, query }) => [`${id}-v${index}`, query] as const);
      const accepted = await savePair(tenant.projectId, key, text, renamed);
      saved.push(...accepted);
      if (accepted.includes(key)) variants.push({ ...variant, entry, key });
    }
  }
  await takeEffect();
  return { graph, entries, tenant, issuer, variants, queries: new Set(saved) };
};

const simulated = (
  { tenant }: Loaded,
  { entry, policy }: StoredVariant,
  more: Partial<SimulationFields> = {},
): Promise<Simulation> =>
  openAdmin(tenant.projectId).simulations.simulate({
    changes: [
      {
        op: "put",
        collection: "authorization-policies",
        name: entry.id,
        record: { policy: JSON.stringify(policy), status: "ACTIVE" },
      },
    ],
    budget_ms: 60_000,
    examples: 100,
    ...more,
  });

const idsOf = ({ nodes }: CorpusGraph, type: string): readonly string[] =>
  nodes.filter((node) => node.type === type).map(({ external_id }) => external_id);

/** Every pair that is granted under an action, by evaluating all of them. */
const granted = async (
  { graph, tenant }: Loaded,
  { policy }: PolicyEntry,
  action: string,
): Promise<ReadonlySet<string>> => {
  const resourceType = policy.resource?.type ?? "";
  const pairs = idsOf(graph, policy.subject.type).flatMap((subject) =>
    idsOf(graph, resourceType).map((resource) => [subject, resource] as const),
  );
  const ikg = openIkg(tenant);
  const isGranted = async ([id, resource]: (typeof pairs)[number]): Promise<boolean> => {
    const subject = ikg.as({ type: policy.subject.type, id });
    return (await unless([422], subject.can(action, { type: resourceType, id: resource }))) === true;
  };
  const found = await Promise.all(pairs.map(isGranted));
  return new Set(pairs.filter((_, index) => found[index]).map((pair) => pair.join(" > ")));
};

/** All rows of a query; none where it is refused. */
const rowsOf = async (
  { tenant, issuer }: Loaded,
  id: string,
  person: string | undefined,
  input_params: Params,
): Promise<readonly ResultRow[]> => {
  const by = { key: tenant.key, ...(person !== undefined && { bearer: await issuer.sign(person) }) };
  const execution = { id, input_params, page_size: pageSize };
  return (await unless([401, 422], execute(execution, by))) ?? [];
};

/** Whole nodes show ids of their project, which differ in nothing but order of members. */
const keysOf = (rows: readonly ResultRow[]): readonly string[] =>
  rows
    .map(({ nodes, relationships, aggregate_values }) =>
      JSON.stringify(
        [nodes, relationships, aggregate_values].map((each) =>
          Object.entries(each ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)),
        ),
      ),
    )
    .toSorted();

/** Elements of the first list that the second one lacks; both may have some several times. */
const less = (list: readonly string[], other: readonly string[]): readonly string[] => {
  const left = [...other];
  return list.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};

const requireDifference = (difference: SimulatedQuery["only_before"], expected: readonly string[]): void => {
  expect(difference?.count).toBe(expected.length);
  const shown = keysOf((difference?.examples ?? []).flatMap(({ row }) => row ?? []));
  if (expected.length <= 100) expect(shown).toEqual(expected.toSorted());
  else expect(less(shown, expected)).toEqual([]);
};

const checkDecisions = async (loaded: Loaded, variant: StoredVariant): Promise<number> => {
  const { entry, key } = variant;
  const [action = ""] = entry.policy.actions ?? [];
  const policy = { ...variant.policy, actions: [action] };
  // Only the action that is evaluated: others would be further questions.
  const answer = await simulated(loaded, { ...variant, policy }, { scope: { action } });
  const [before, after] = [await granted(loaded, entry, action), await granted(loaded, entry, key)];
  const gained = [...after].filter((pair) => !before.has(pair));
  const lost = [...before].filter((pair) => !after.has(pair));
  const [question] = answer.questions;
  expect([answer.complete, question?.gained.count, question?.lost.count]).toEqual([
    true,
    gained.length,
    lost.length,
  ]);
  expect([question?.before?.granted, question?.after?.granted]).toEqual([before.size, after.size]);
  for (const [side, pairs] of [
    ["gained", gained],
    ["lost", lost],
  ] as const)
    for (const { subject, resource } of question?.[side].examples ?? [])
      expect(pairs).toContain(`${subject} > ${resource}`);
  return gained.length + lost.length;
};

/** Who runs a query in the cases of the corpus, and with what; one subject of the policy where there is no case. */
const callsOf = (
  { graph }: Loaded,
  { policy }: PolicyEntry,
  { cases = [], execute }: QueryEntry,
): readonly { readonly person: string | undefined; readonly input_params: Params }[] => {
  const anybody = policy.subject.type === "_Application" ? undefined : idsOf(graph, policy.subject.type)[0];
  const calls = [
    ...cases.map(({ token_of, input_params = {} }) => ({ person: token_of ?? anybody, input_params })),
    { person: anybody, input_params: execute?.input_params ?? {} },
  ];
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
};

const checkQuery = async (loaded: Loaded, variant: StoredVariant, query: QueryEntry): Promise<number> => {
  const { entry, key } = variant;
  const { tenant } = loaded;
  const calls = callsOf(loaded, entry, query);
  const queries = calls.map(({ person, input_params }) => ({
    name: query.id,
    as: {
      application: tenant.applicationId,
      ...(person !== undefined && { token: { sub: person } }),
    },
    input_params: input_params as Record<string, Value>, // of a case in JSON
    values: true,
  }));
  const answer = await simulated(loaded, variant, { queries });
  let differences = 0;
  for (const [index, { person, input_params }] of calls.entries()) {
    const found = answer.queries?.[index];
    const suffix = key.slice(entry.id.length);
    const before = keysOf(await rowsOf(loaded, query.id, person, input_params));
    // What its policy would allow no longer could not be saved.
    const name = `${query.id}${suffix}`;
    const after = loaded.queries.has(name) ? keysOf(await rowsOf(loaded, name, person, input_params)) : [];
    expect([found?.complete, found?.rows_before, found?.rows_after]).toEqual([
      true,
      before.length,
      after.length,
    ]);
    requireDifference(found?.only_before, less(before, after));
    requireDifference(found?.only_after, less(after, before));
    differences += less(before, after).length + less(after, before).length;
  }
  return differences;
};

const describeFolder = (folder: string): void => {
  let loaded: Loaded;
  const tally = { decisions: 0, queries: 0, pairs: 0, rows: 0 };
  beforeAll(async () => {
    loaded = await load(folder);
    // The database plans hundreds of policies and queries.
  }, 600_000);
  afterAll(async () => {
    process.stdout.write(
      `${folder}: ${tally.decisions} changed policies for decisions with ${tally.pairs} pairs that differ, ${tally.queries} changed queries with ${tally.rows} rows that differ\n`,
    );
    await loaded?.tenant.remove();
  });

  const entries = readEntries(folder);
  for (const entry of entries.filter(isPolicy)) {
    const variants = () => loaded.variants.filter(({ entry: { id } }) => id === entry.id);
    if (entry.kind === "kbac")
      it(`${entry.id}: a simulation of each variant says what evaluations of every pair say`, async () => {
        expect(variants().length).toBeGreaterThan(0);
        for (const variant of variants()) {
          tally.pairs += await checkDecisions(loaded, variant);
          tally.decisions += 1;
        }
      }, 600_000);
    for (const query of queriesOf(entries, entry)) {
      if (writes(query)) continue; // to run it changes the graph
      it(`${query.id}: a simulation of each variant of ${entry.id} says what executions say`, async () => {
        for (const variant of variants()) {
          if (!loaded.queries.has(query.id)) continue;
          tally.rows += await checkQuery(loaded, variant, query);
          tally.queries += 1;
        }
      }, 600_000);
    }
  }

  it("changes something with some of them", () => {
    expect(tally.pairs + tally.rows).toBeGreaterThan(0);
  });
};

if (corpusIsAbsent === undefined)
  describe.each(folders)("simulations on the corpus %s", (folder) => {
    describeFolder(folder);
  });
else
  describe("simulations on the corpus", () => {
    // The corpus lies outside of the repository; a machine without it says so.
    // oxlint-disable-next-line jest/no-disabled-tests
    it.skip(`not run: ${corpusIsAbsent}`, () => undefined);
  });
