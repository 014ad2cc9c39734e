import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ErrorEnvelope } from "@ikg/contracts";
import { corpusIsAbsent } from "../../../stack/src/testing/corpus.ts";
import { trySavePolicy } from "../../src/configuration/save-policy.ts";
import { trySaveQuery } from "../../src/configuration/save-query.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { isRouted, writes } from "../../src/corpus/demands.ts";
import { type Entry, type PolicyEntry, policyToSave, type QueryEntry } from "../../src/corpus/entry.ts";
import { openLedger } from "../../src/corpus/ledger.ts";
import { readEntries } from "../../src/corpus/read.ts";
import { evaluate, tryEvaluate } from "../../src/requests/evaluate.ts";
import { execute, tryExecute } from "../../src/requests/execute.ts";
import { must } from "../../src/requests/must.ts";
import type { Answer } from "../../src/requests/send.ts";
import { createTokenIssuer } from "../../src/tokens/token-issuer.ts";

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

/** Advice objects of a filter, in the order in which they are written. */
const adviceOf = (filter: unknown): readonly Readonly<Record<string, string>>[] => {
  if (Array.isArray(filter)) return filter.flatMap(adviceOf);
  if (typeof filter !== "object" || filter === null) return [];
  // A filter of a policy, as its author wrote it.
  const { advice, operands } = filter as { advice?: Readonly<Record<string, string>>; operands?: unknown };
  return [...(advice === undefined ? [] : [advice]), ...adviceOf(operands)];
};

type Fate = "accepted" | "rejected" | "no policy";

const fateOf = (entry: Entry): Fate => {
  if (isQuery(entry) && entry.paired_with === null) return "no policy";
  return reasonOf(entry) === undefined ? "accepted" : "rejected";
};

/** No graph belongs to these: policies and queries are saved or refused, and evaluated on an empty project. */
class Snippets {
  readonly ledger = openLedger();
  readonly answers = new Map<string, Answer>();
  tenant!: Tenant;
  bearer!: string;

  async save(entry: Entry): Promise<void> {
    const answer = await this.#trySave(entry);
    if (answer !== undefined) this.answers.set(entry.id, answer);
  }

  async #trySave(entry: Entry): Promise<Answer | undefined> {
    const { id: name, status = "ACTIVE" } = entry;
    if (isPolicy(entry))
      return trySavePolicy(this.tenant.projectId, {
        name,
        policy: policyToSave(entry),
        status,
        ...(entry.tags === undefined ? {} : { tags: entry.tags }),
      });
    const policy = this.answers.get(entry.paired_with ?? "");
    // One query of the corpus belongs to no policy.
    if (policy === undefined) return undefined;
    const policyId = must<{ id: string }>(policy, 201).id;
    return trySaveQuery(this.tenant.projectId, { name, policyId, query: entry.query, status });
  }
}

const missing = (names: readonly string[]) =>
  names.map((name) => `missing or wrong input params, '${name}'`).toSorted();

const valuesFor = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, "nowhere"]));

const describeSaving = (snippets: Snippets, entries: readonly Entry[]): void => {
  const withFate = (fate: Fate) =>
    entries.filter((entry) => fateOf(entry) === fate).map((entry) => [entry.id, entry] as const);
  it.each(withFate("accepted"))("saves %s", (id) => {
    expect(snippets.answers.get(id)).toMatchObject({ status: 201, body: { name: id } });
    snippets.ledger.saved(id);
  });
  it.each(withFate("rejected"))("refuses %s for the reason that its author gives", (id, entry) => {
    const reason = reasonOf(entry) ?? "";
    requireRefused(snippets.answers.get(id), reason);
    snippets.ledger.refused(id, reason);
  });
  for (const entry of entries.filter(isPolicy)) {
    const reason = /as 2\.0-kbac rejected: (.*)$/.exec(entry.expected ?? "")?.[1];
    if (reason === undefined) continue;
    it(`refuses ${entry.id} as 2.0-kbac`, async () => {
      const policy = { ...entry.policy, meta: { policy_version: "2.0-kbac" } };
      requireRefused(await trySavePolicy(snippets.tenant.projectId, { policy }), reason);
      snippets.ledger.refused(`${entry.id} as 2.0-kbac`, reason);
    });
  }
};

const describePolicy = (snippets: Snippets, entry: PolicyEntry): void => {
  const { actions: [action = ""] = [], resource, subject, condition } = entry.policy;
  if (fateOf(entry) !== "accepted" || resource === undefined) return;
  const question = entry.evaluation ?? {
    subject: { type: subject.type, id: "nobody" },
    action: { name: action },
    resource: { type: resource.type, id: "nothing" },
  };
  const names = entry.input_params_needed;
  const context = { input_params: valuesFor(names) };
  if (isRouted(entry)) {
    it(`${entry.id}: reports that the project has one database only`, async () => {
      const answer = await tryEvaluate({ context, ...question }, snippets.tenant);
      snippets.ledger.ran(entry.id);
      // Other policies of the same types and action report their errors in the same list.
      expect(must<ErrorEnvelope>(answer, 422).errors).toContain(
        "policy requires a composite database, but the project has none configured",
      );
    });
    return;
  }
  it(`${entry.id}: denies on an empty graph`, async () => {
    const { decision, context: explained } = await evaluate({ context, ...question }, snippets.tenant);
    snippets.ledger.ran(entry.id);
    expect(decision).toBe(false);
    const advice = adviceOf(condition.filter);
    expect(explained?.advice ?? []).toEqual(advice);
  });
  if (names.length > 0)
    it(`${entry.id}: names the missing parameters`, async () => {
      const answer = await tryEvaluate({ ...question, context: {} }, snippets.tenant);
      snippets.ledger.ran(entry.id);
      expect(must<ErrorEnvelope>(answer, 422).errors?.toSorted()).toEqual(missing(names));
    });
};

const describeQuery = (snippets: Snippets, query: QueryEntry): void => {
  if (fateOf(query) !== "accepted") return;
  it(`${query.id}: nothing on an empty graph, and names the missing parameters`, async () => {
    const by = { key: snippets.tenant.key, bearer: snippets.bearer };
    snippets.ledger.ran(query.id);
    const input_params = { ...valuesFor(query.input_params_needed), ...query.execute?.input_params };
    const rows = await execute({ id: query.id, input_params }, by);
    // A query that writes may need only the calling application, which exists.
    if (!writes(query)) expect(rows).toEqual([]);
    if (query.input_params_needed.length === 0) return;
    const { errors } = must<ErrorEnvelope>(await tryExecute({ id: query.id }, by), 422);
    expect(errors?.toSorted()).toEqual(missing(query.input_params_needed));
  });
};

const describeSnippets = (entries: readonly Entry[]): void => {
  const snippets = new Snippets();
  beforeAll(async () => {
    snippets.tenant = await createTenant("corpus-snippets");
    snippets.bearer = await (await createTokenIssuer(snippets.tenant.projectId)).sign("nobody");
    for (const entry of [...entries.filter(isPolicy), ...entries.filter(isQuery)]) await snippets.save(entry);
  }, 180_000);
  afterAll(async () => {
    process.stdout.write(snippets.ledger.text("snippets"));
    await snippets.tenant?.remove();
  });
  describeSaving(snippets, entries);
  for (const entry of entries.filter(isPolicy)) describePolicy(snippets, entry);
  for (const query of entries.filter(isQuery)) describeQuery(snippets, query);
};

describe("corpus snippets", () => {
  if (corpusIsAbsent === undefined) describeSnippets(readEntries("snippets"));
  // The corpus lies outside of the repository; a machine without it says so.
  // oxlint-disable-next-line jest/no-disabled-tests
  else it.skip(`not run: ${corpusIsAbsent}`, () => undefined);
});
