/** A test that shows a rule: its file, from the top of the repository, and its name or a part of it. */
export type Shown = readonly [file: string, test: string];

/** Which tests show what a row of a table asks for. */
export type Coverage = Readonly<Record<string, readonly Shown[]>>;

const core = "libs/policy-core";
const rules = `${core}/test/rules`;
const oracle = `${core}/test/oracle`;
const ciq = "services/ciq";
const checks = `${rules}/checks.test.ts`;

/** Rules of calls, which belong to no single policy or query. */
export const formCoverage: Coverage = {
  "page_token: 1 on every call": [
    ["libs/contracts/src/ciq/page-token.test.ts", "token %d with size %d is offset %d"],
    [`${ciq}/test/read-rows.test.ts`, "joins pages to the whole"],
  ],
};

/** What holds for policies and queries, and the tests that show it. */
export const checkCoverage: Coverage = {
  "every construct of the language is accepted or refused as documented": [
    [`${rules}/constructs.test.ts`, "constructs of the policy language"],
  ],
  "a 2.0 condition saved as 3.0 decides alike": [
    [checks, "a 2.0 condition saved as 3.0"],
    [`${oracle}/laws.fuzz.test.ts`, "renamed aliases and the other version decide the same"],
  ],
  "searches find what evaluates true": [
    [`${oracle}/laws.fuzz.test.ts`, "searches find it"],
    [`${core}/test/statements.test.ts`, "decisions and searches on the database"],
  ],
  "a filter has one truth in memory and in the database": [
    [`${core}/src/filters/evaluate-truth.test.ts`, "the truth of a filter leaf in memory"],
    [`${core}/test/filters.long.test.ts`, "a printed filter has the truth that it has in memory"],
  ],
  "a missing claim fails, with NOT too": [
    [checks, "a missing claim fails"],
    [`${core}/src/filters/evaluate.test.ts`, "fails closed without a token, IS NULL and NOT included"],
  ],
  "$subject_external_id is the platform's in KBAC and a parameter in CIQ": [
    [checks, "$subject_external_id"],
    [`${ciq}/test/write-subjects.long.test.ts`, "$subject_external_id is an ordinary input parameter"],
  ],
  "alias.* reads and never deletes the node": [
    [checks, "alias.* reads"],
    [`${core}/src/paths/allow.test.ts`, "allowed_deletes of nodes: no upward reach"],
  ],
  "a path that may not be read is refused, also after the policy was narrowed": [
    [checks, "a path that may not be read"],
    [`${ciq}/test/write-execution.test.ts`, "nor when the policy no longer allows it"],
  ],
  "upserts are idempotent, and make one node for several rows": [
    [`${ciq}/test/write-new-elements.test.ts`, "make one node for three rows, and its relationship for each"],
    [`${ciq}/test/writes.test.ts`, "set listed properties, keep the rest"],
    [`${ciq}/test/writes.test.ts`, "merge metadata by key, and leave it alone without an entry"],
  ],
  "a query sees new values and what it deletes": [
    [`${ciq}/test/write-execution.test.ts`, "see new values and what is deleted"],
    [`${ciq}/test/write-deletes.test.ts`, "answer what it was"],
  ],
  "pages join to the whole": [
    [`${ciq}/test/read-rows.test.ts`, "joins pages to the whole"],
    ["libs/contracts/src/ciq/page-token.test.ts", "the first row of a page"],
  ],
  "a writing query has no pages": [
    [checks, "the match of a writing query knows no page"],
    [`${ciq}/test/write-execution.test.ts`, "paging of a writing query"],
  ],
  "a query writes everything or nothing": [
    [`${ciq}/test/write-execution.test.ts`, "not a node when its last relationship fails"],
  ],
  "who the subject is when the policy is silent": [
    [checks, "who the platform pins"],
    [`${ciq}/test/read-rows.test.ts`, "who the subject is"],
    [`${ciq}/test/write-subjects.test.ts`, "who the subject is"],
  ],
  locations: [
    [checks, "locations"],
    [`${core}/src/policy/locations.test.ts`, "where a request goes"],
  ],
  "ends are bound by a MATCH": [[checks, "a resource that only an OPTIONAL MATCH binds"]],
  "a token that the policy does not accept reads and writes nothing": [
    [`${ciq}/test/write-execution.test.ts`, "nor when the token does not satisfy the policy"],
  ],
  "a hub does not make decisions and reads slower": [
    [
      `${core}/test/work/work.long.alone.test.ts`,
      "of decisions stays flat when the hub that most nodes point to grows tenfold",
    ],
    [`${core}/test/work/work.long.alone.test.ts`, "of reads through the hub stays flat too"],
  ],
};

const facts = `${core}/test/database/facts.test.ts`;
const plans = `${core}/test/database/plans.long.test.ts`;

/** What the design relies on in the database, and the tests that show it. */
export const factCoverage: Coverage = {
  "every node of a statement carries its project's label": [
    [facts, "every accepted form"],
    [`${oracle}/tenancy.fuzz.test.ts`, "no policy leaves its project"],
  ],
  "texts that look like clauses stay what they are": [
    [facts, "%s is refused"],
    [facts, "%s is read as what it is"],
    [`${core}/test/hostile/positions.test.ts`, "hostile texts"],
  ],
  "a write is refused in READ mode": [[facts, "a write clause past the reader"]],
  "concurrent writers of the same nodes do not fail": [
    ["services/capture/test/concurrency.test.ts", "8 writers with overlapping shuffled batches"],
  ],
  "ends are sought by the unique index": [
    [plans, "%s seeks the ends by the unique index"],
    [plans, "the upserts of a query"],
    ["services/capture/test/plans.test.ts", "unique index seeks and no scan"],
  ],
  "values keep their kind and their order": [
    [facts, "values of every kind"],
    [facts, "numbers, whole and broken"],
    ["services/capture/test/nodes.test.ts", "keeps kinds of values apart"],
  ],
  "printed statements are valid Cypher for the vendor's own parser": [
    ["stack/src/testing/runner/calendar.test.ts", "is for the tests that run policy statements"],
    [
      `${core}/test/neo4j-syntax/statements.test.ts`,
      "every statement that is printed is clean for it, in both languages",
    ],
  ],
};
