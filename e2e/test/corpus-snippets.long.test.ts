import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ErrorEnvelope } from "@ikg/contracts";
import { adviceOf } from "../src/corpus/advice.ts";
import { isRouted, writes } from "../src/corpus/demands.ts";
import { type Entry, type PolicyEntry, policyToSave, type QueryEntry } from "../src/corpus/entry.ts";
import { corpusFolder, corpusIsThere } from "../src/corpus/folder.ts";
import { openLedger } from "../src/corpus/ledger.ts";
import { readEntries } from "../src/corpus/read.ts";
import { evaluate, tryEvaluate } from "../src/evaluate.ts";
import { execute, tryExecute } from "../src/execute.ts";
import { must } from "../src/must.ts";
import { trySavePolicy } from "../src/save-policy.ts";
import { trySaveQuery } from "../src/save-query.ts";
import type { Answer } from "../src/send.ts";
import { createTenant, type Tenant } from "../src/tenant.ts";
import { createTokenIssuer } from "../src/token-issuer.ts";

const isQuery = (entry: Entry): entry is QueryEntry => entry.kind === "query";
const isPolicy = (entry: Entry): entry is PolicyEntry => entry.kind !== "query";

/** Reasons that the corpus gives in words of its own, and how ours begin. */
const inOurWords: readonly (readonly [RegExp, RegExp])[] = [
  [/variables must be named subject and resource/, /"(subject|resource)" must be bound/],
  [/protected property/, /protected/],
  [/planner hints/, /planner hints are not allowed/],
];

/** The reason for which an entry must be refused; undefined: it must be accepted. */
const reasonOf = ({ expected = "" }: Entry): string | undefined =>
  /^rejected\b[^:]*: (?<reason>.*?)(?: \(.*\))?$/.exec(expected)?.groups?.["reason"];

const requireRefused = (answer: Answer | undefined, reason: string): void => {
  if (answer === undefined) throw new Error("it was not sent");
  const errors = (must<ErrorEnvelope>(answer, 422).errors ?? []).join("\n");
  const ours = inOurWords.find(([theirs]) => theirs.test(reason))?.[1];
  if (ours === undefined) expect(errors).toContain(reason);
  else expect(errors).toMatch(ours);
};

type Fate = "accepted" | "rejected" | "no policy";

const fateOf = (entry: Entry): Fate => {
  if (isQuery(entry) && entry.paired_with === null) return "no policy";
  return reasonOf(entry) === undefined ? "accepted" : "rejected";
};

/** No graph belongs to these: policies and queries are saved or refused, and asked about nothing. */
const describeSnippets = (entries: readonly Entry[]): void => {
  const ledger = openLedger();
  const answers = new Map<string, Answer>();
  let tenant: Tenant;
  let bearer: string;

  const save = async (entry: Entry): Promise<Answer | undefined> => {
    const { id: name, status = "ACTIVE" } = entry;
    if (isPolicy(entry))
      return trySavePolicy(tenant.projectId, {
        name,
        policy: policyToSave(entry),
        status,
        ...(entry.tags === undefined ? {} : { tags: entry.tags }),
      });
    const policy = answers.get(entry.paired_with ?? "");
    // One query of the corpus belongs to no policy.
    if (policy === undefined) return undefined;
    const policyId = must<{ id: string }>(policy, 201).id;
    return trySaveQuery(tenant.projectId, { name, policyId, query: entry.query, status });
  };

  beforeAll(async () => {
    tenant = await createTenant("corpus-snippets");
    bearer = await (await createTokenIssuer(tenant.projectId)).sign("nobody");
    for (const entry of [...entries.filter(isPolicy), ...entries.filter(isQuery)]) {
      const answer = await save(entry);
      if (answer !== undefined) answers.set(entry.id, answer);
    }
  }, 180_000);
  afterAll(async () => {
    process.stdout.write(ledger.text("snippets"));
    await tenant?.remove();
  });

  const named = (verb: Fate) =>
    entries.filter((entry) => fateOf(entry) === verb).map((entry) => [entry.id, entry] as const);
  it.each(named("accepted"))("saves %s", (id) => {
    expect(answers.get(id)).toMatchObject({ status: 201, body: { name: id } });
    ledger.saved(id);
  });
  it.each(named("rejected"))("refuses %s for the reason that its author gives", (id, entry) => {
    const reason = reasonOf(entry) ?? "";
    requireRefused(answers.get(id), reason);
    ledger.refused(id, reason);
  });

  for (const entry of entries.filter(isPolicy)) {
    const reason = /as 2\.0-kbac rejected: (.*)$/.exec(entry.expected ?? "")?.[1];
    if (reason === undefined) continue;
    it(`refuses ${entry.id} as 2.0-kbac`, async () => {
      const policy = { ...entry.policy, meta: { policy_version: "2.0-kbac" } };
      requireRefused(await trySavePolicy(tenant.projectId, { policy }), reason);
      ledger.refused(`${entry.id} as 2.0-kbac`, reason);
    });
  }

  const missing = (names: readonly string[]) =>
    names.map((name) => `missing or wrong input params, '${name}'`).toSorted();

  for (const entry of entries.filter(isPolicy)) {
    const { actions: [action = ""] = [], resource, subject, condition } = entry.policy;
    if (fateOf(entry) !== "accepted" || resource === undefined) continue;
    const question = entry.evaluation ?? {
      subject: { type: subject.type, id: "nobody" },
      action: { name: action },
      resource: { type: resource.type, id: "nothing" },
    };
    const names = entry.input_params_needed;
    if (isRouted(entry)) {
      it(`${entry.id}: says that the project has one database only`, async () => {
        const anything = Object.fromEntries(names.map((name) => [name, "nowhere"]));
        const answer = await tryEvaluate({ context: { input_params: anything }, ...question }, tenant);
        ledger.ran(entry.id);
        // Other policies of the same types and action say theirs beside it.
        expect(must<ErrorEnvelope>(answer, 422).errors).toContain(
          "policy requires a composite database, but the project has none configured",
        );
      });
      continue;
    }
    it(`${entry.id}: denies on an empty graph`, async () => {
      const anything = Object.fromEntries(names.map((name) => [name, "nowhere"]));
      const { decision, context } = await evaluate(
        { context: { input_params: anything }, ...question },
        tenant,
      );
      ledger.ran(entry.id);
      expect(decision).toBe(false);
      const advice = adviceOf(condition.filter);
      expect(context?.advice ?? []).toEqual(advice);
    });
    if (names.length > 0)
      it(`${entry.id}: says which parameters are missing`, async () => {
        const answer = await tryEvaluate({ ...question, context: {} }, tenant);
        ledger.ran(entry.id);
        expect(must<ErrorEnvelope>(answer, 422).errors?.toSorted()).toEqual(missing(names));
      });
  }

  for (const query of entries.filter(isQuery)) {
    if (fateOf(query) !== "accepted") continue;
    it(`${query.id}: nothing on an empty graph, and says which parameters are missing`, async () => {
      const by = { key: tenant.key, bearer };
      ledger.ran(query.id);
      const anything = Object.fromEntries(query.input_params_needed.map((name) => [name, "nowhere"]));
      const input_params = { ...anything, ...query.execute?.input_params };
      const rows = await execute({ id: query.id, input_params }, by);
      // A query that writes may need nothing but the calling application, which is there.
      if (!writes(query)) expect(rows).toEqual([]);
      if (query.input_params_needed.length === 0) return;
      const { errors } = must<ErrorEnvelope>(await tryExecute({ id: query.id }, by), 422);
      expect(errors?.toSorted()).toEqual(missing(query.input_params_needed));
    });
  }
};

describe("corpus snippets", () => {
  if (corpusIsThere()) describeSnippets(readEntries("snippets"));
  // The corpus lies outside of the repository; a machine without it says so.
  // oxlint-disable-next-line jest/no-disabled-tests
  else it.skip(`the folder ${corpusFolder()} is not there; IKG_CORPUS names another one`, () => undefined);
});
