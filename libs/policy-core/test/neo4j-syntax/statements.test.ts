import { describe, expect, it } from "@jest/globals";
import { corpusIsAbsent } from "../../../../stack/src/testing/corpus.ts";
import { corpus, queriesOf } from "../corpus.ts";
import { complaintsOf } from "./checker.ts";
import { notRecorded, record } from "./every-statement.ts";
import { inLongRun, isLong } from "../runs.ts";
import { policies } from "../sample-policies/policies.ts";
import { printedFor, type Printed } from "../sample-policies/statements-of.ts";

const printed = (policy: unknown, queries: readonly unknown[]) =>
  printedFor(
    JSON.stringify(policy),
    queries.map((query) => JSON.stringify(query)),
  );

/** They are held against the checker after the tests: the run fails when one is not clean. */
const recordAll = (statements: readonly Printed[]): void => {
  for (const { text } of statements) record(text);
};

describe("the vendor's checker", () => {
  it.each<[string, RegExp]>([
    ["MATCH (n) RETURN id(n) AS i", /deprecated/],
    ...inLongRun<[string, RegExp]>([
      ["MATCH (n) RETURN m", /`m` not defined/],
      ["MATCH (n) RETURN n.x y", /Invalid input/],
      ["MATCH (n:A&B:C) RETURN n", /[Mm]ixing/],
      ["MATCH (n) SET n = m", /`m` not defined/],
    ]),
  ])("has an opinion of %s", (text, opinion) => {
    expect(complaintsOf(text).join("\n")).toMatch(opinion);
  });

  it("tells one language from the other", () => {
    const onlyNew = complaintsOf("MATCH (n) LET x = n.a RETURN x");
    expect(onlyNew.length).toBeGreaterThan(0);
    expect(onlyNew.every((complaint) => complaint.startsWith("CYPHER 5:"))).toBe(true);
  });
});

const reasonOf = (reason: string | undefined): string =>
  reason === undefined ? "" : ` (skipped: ${reason})`;

const printedTests = (): void => {
  it.each(policies.map(([policy, queries]) => [JSON.stringify(policy), policy, queries] as const))(
    "%s",
    (_name, policy, queries) => {
      const { statements, faults } = printed(policy, queries);
      expect(faults).toEqual([]);
      expect(statements.length).toBeGreaterThan(0);
      recordAll(statements);
    },
  );
};

(notRecorded === undefined ? describe : describe.skip)(
  `every statement that is printed is clean for it, in both languages${reasonOf(notRecorded)}`,
  printedTests,
);

describe("policies and queries that people wrote", () => {
  const check = (): void => {
    const written = corpus.filter(({ policy }) => policy !== undefined);
    const statements = written.flatMap((entry) => printed(entry.policy, queriesOf(entry)).statements);
    expect(statements.length).toBeGreaterThan(100);
    recordAll(statements);
  };

  // Some hundred texts that the sources do not know to be clean: too many for `npm test`.
  const reason = corpusIsAbsent ?? (isLong() ? notRecorded : "npm run test:long checks them");
  (reason === undefined ? it : it.skip)(`are printed clean${reasonOf(reason)}`, check);
});
