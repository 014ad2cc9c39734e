import { afterAll, describe, expect, it } from "@jest/globals";
import { projectKey } from "@ikg/physical";
import { compileKbac } from "../../src/index.ts";
import { compositeDecideStatement, compositeSearchStatement } from "../../src/statements/index.ts";
import { accepted, constructs } from "../rules/constructs.ts";
import { realForms } from "../rules/real-forms.ts";
import { policyOf } from "../rules/versions.ts";
import { policies, routed } from "../sample-policies/policies.ts";
import { printedFor } from "../sample-policies/statements-of.ts";
import { PrintedRecord } from "./record.ts";

/** Lines of each statement of a policy and its queries. */
type Texts = readonly (readonly string[])[];

const linesOf = (text: string): readonly string[] => text.split("\n");

/** Without the search of subjects, which is that of resources turned round. */
const textsOf = (policy: object, queries: readonly object[] = []): Texts => {
  const { statements, faults } = printedFor(
    JSON.stringify(policy),
    queries.map((query) => JSON.stringify(query)),
  );
  if (faults.length > 0) throw new Error(faults.join("; "));
  return statements.filter(({ purpose }) => purpose !== "subject search").map(({ text }) => linesOf(text));
};

/** What a text of `3.0-kbac` is in a composite database, where its USE is kept. */
const compositeTexts = (cypher: string): Texts => {
  const checked = compileKbac(JSON.stringify(policyOf("3.0-kbac", { cypher })));
  if (!checked.ok) throw new Error(checked.faults.join("; "));
  const pk = projectKey("00000000");
  const search = compositeSearchStatement(checked.value, pk, "resource");
  const decision = compositeDecideStatement(checked.value, pk);
  return [decision, ...(search === undefined ? [] : [search])].map(linesOf);
};

const cases: readonly (readonly [name: string, texts: () => Texts])[] = [
  ...constructs
    .filter(({ outcomes }) => outcomes["3.0-kbac"] === accepted)
    .map(({ construct, cypher }) => [construct, () => textsOf(policyOf("3.0-kbac", { cypher }))] as const),
  ...realForms.map(
    ({ form, policy, query }) => [form, () => textsOf(policy, query === undefined ? [] : [query])] as const,
  ),
  ...policies.map(([policy, queries]) => [JSON.stringify(policy), () => textsOf(policy, queries)] as const),
  ...routed.map((cypher) => [`composite: ${cypher}`, () => compositeTexts(cypher)] as const),
];

// What they mean is shown on the database; here one sees at once what a change of the printer changes.
describe("printed statements are those that were recorded", () => {
  const record = new PrintedRecord<Texts>(
    new URL("recorded.json", import.meta.url),
    cases.map(([name]) => name),
  );

  it.each(cases)("%s", (name, textsOfCase) => {
    const printed = textsOfCase();
    record.add(name, printed);
    if (!record.updates) expect(printed).toEqual(record.recorded[name]);
  });

  it("and no others", () => {
    if (!record.updates) expect(record.unmatched).toEqual([]);
  });

  afterAll(() => record.write());
});
