/** A test that shows a numbered check: its file, from the top of the repository, and its name or a part of it. */
export type Shown = readonly [file: string, test: string];

/** Which tests show what a row of a table asks for. */
export type Coverage = Readonly<Record<string, readonly Shown[]>>;

const core = "libs/policy-core";
const rules = `${core}/test/rules`;
const oracle = `${core}/test/oracle`;
const ciq = "services/ciq";
const checks = `${rules}/checks.test.ts`;

/** What is tested beside the numbered checks, as far as it is no single policy or query. */
export const formCoverage: Coverage = {
  "page_token: 1 on every call": [
    ["libs/contracts/src/ciq/page-token.test.ts", "token %d with size %d is offset %d"],
    [`${ciq}/test/read-rows.test.ts`, "joins pages to the whole (check 11)"],
  ],
};

/** The checks of policies and queries, by number. */
export const checkCoverage: Coverage = {
  1: [[`${rules}/constructs.test.ts`, "constructs of the policy language"]],
  2: [
    [checks, "check 2: a 2.0 condition saved as 3.0"],
    [`${oracle}/laws.fuzz.test.ts`, "renamed aliases and the other version decide the same"],
  ],
  3: [
    [`${oracle}/laws.fuzz.test.ts`, "searches find it"],
    [`${core}/test/statements.test.ts`, "decisions and searches on the database"],
  ],
  4: [
    [`${core}/src/filters/evaluate-truth.test.ts`, "the truth of a filter leaf in memory"],
    [`${core}/test/filters.long.test.ts`, "a printed filter has the truth that it has in memory"],
  ],
  5: [
    [checks, "check 5: a missing claim fails"],
    [`${core}/src/filters/evaluate.test.ts`, "fails closed without a token, IS NULL and NOT included"],
  ],
  6: [
    [checks, "check 6: $subject_external_id"],
    [`${ciq}/test/write-subjects.test.ts`, "$subject_external_id is an ordinary input parameter"],
  ],
  7: [
    [checks, "check 7: alias.* reads"],
    [`${core}/src/paths/allow.test.ts`, "allowed_deletes of nodes: no upward reach"],
  ],
  8: [
    [checks, "check 8: a path that may not be read"],
    [`${ciq}/test/write-execution.test.ts`, "nor when the policy no longer allows it (check 8)"],
  ],
  9: [
    [
      `${ciq}/test/write-new-elements.test.ts`,
      "make one node for three rows, and its relationship for each (check 9)",
    ],
    [`${ciq}/test/writes.test.ts`, "set listed properties, keep the rest"],
    [`${ciq}/test/writes.test.ts`, "merge metadata by key, and leave it alone without an entry"],
  ],
  10: [
    [`${ciq}/test/write-execution.test.ts`, "see new values and what is deleted"],
    [`${ciq}/test/write-deletes.test.ts`, "answer what it was (check 10)"],
  ],
  11: [
    [`${ciq}/test/read-rows.test.ts`, "joins pages to the whole (check 11)"],
    ["libs/contracts/src/ciq/page-token.test.ts", "the first row of a page"],
  ],
  12: [
    [checks, "check 12: the match of a writing query knows no page"],
    [`${ciq}/test/write-execution.test.ts`, "paging of a writing query (9.4, check 11)"],
  ],
  13: [[`${ciq}/test/write-execution.test.ts`, "not a node when its last relationship fails (check 13)"]],
  14: [
    [checks, "check 14: who the platform pins"],
    [`${ciq}/test/read-rows.test.ts`, "who the subject is"],
    [`${ciq}/test/write-subjects.test.ts`, "who the subject is (check 14, 6)"],
  ],
  15: [
    [checks, "check 15: locations"],
    [`${core}/src/policy/locations.test.ts`, "where a request goes"],
  ],
  16: [[checks, "check 16: a resource that only an OPTIONAL MATCH binds"]],
  17: [[`${ciq}/test/write-execution.test.ts`, "nor when the token does not satisfy the policy (check 17)"]],
  18: [
    [
      `${core}/test/work/work.alone.test.ts`,
      "of decisions stays flat when the hub that most nodes point to grows tenfold",
    ],
    [`${core}/test/work/work.alone.test.ts`, "of reads through the hub stays flat too"],
  ],
};

const facts = `${core}/test/database/facts.test.ts`;

/** The tests of the database, by number. */
export const factCoverage: Coverage = {
  1: [
    [facts, "test 1: every accepted form"],
    [`${oracle}/tenancy.fuzz.test.ts`, "no policy leaves its project"],
  ],
  2: [
    [facts, "test 2: %s is refused"],
    [facts, "test 2: %s is read as what it is"],
    [`${core}/test/hostile/positions.test.ts`, "hostile texts"],
  ],
  3: [[facts, "test 3: a write clause past the reader"]],
  4: [["services/capture/test/concurrency.test.ts", "8 writers with overlapping shuffled batches"]],
  5: [
    [facts, "test 5: %s seeks the ends by the unique index"],
    [facts, "test 5: the upserts of a query"],
    ["services/capture/test/plans.test.ts", "unique index seeks and no scan"],
  ],
  6: [
    [facts, "test 6: values of every kind"],
    [facts, "test 6: numbers, whole and broken"],
    ["services/capture/test/nodes.test.ts", "keeps kinds of values apart"],
  ],
  7: [
    ["stack/src/testing/calendar.test.ts", "is for the tests that run policy statements"],
    [
      `${core}/test/neo4j-syntax/statements.test.ts`,
      "every statement that is printed is clean for it, in both languages",
    ],
  ],
};
