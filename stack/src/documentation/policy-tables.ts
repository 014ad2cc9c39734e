/** The tables of the policy language, made from the code that reads it and the tests that hold it. */
import { captureLimits } from "@ikg/contracts";
import { compilePolicy } from "../../../libs/policy-core/src/index.ts";
import { maxRows } from "../../../libs/policy-core/src/statements/index.ts";
import { warningsOf, type WarningCode } from "../../../libs/policy-core/src/warnings/index.ts";
import { maxRecursionDepth, maxTreeDepth } from "../../../libs/policy-core/src/cypher/depth.ts";
import { functions } from "../../../libs/policy-core/src/cypher/functions.ts";
import { maxNesting } from "../../../libs/policy-core/src/cypher/lex/lexer.ts";
import { maxCallDepth } from "../../../libs/policy-core/src/cypher/read/clauses.ts";
import { maxPathLength } from "../../../libs/policy-core/src/cypher/read/patterns.ts";
import { maxFaults } from "../../../libs/policy-core/src/cypher/read/parser-state.ts";
import { leafRules } from "../../../libs/policy-core/src/filters/leaf-operators.ts";
import { maxFilterDepth, maxLeaves } from "../../../libs/policy-core/src/filters/read.ts";
import { maxJsonDepth, maxText } from "../../../libs/policy-core/src/json.ts";
import { mayDeleteNode, mayReadNode } from "../../../libs/policy-core/src/paths/allow.ts";
import { isFault, readNodePath, type NodePath } from "../../../libs/policy-core/src/paths/path.ts";
import { maxCypher, maxParts } from "../../../libs/policy-core/src/policy/condition.ts";
import { maxLabels, maxUpserts } from "../../../libs/policy-core/src/query/read-upserts.ts";
import { collectedEntries, defaultBudget } from "../../../libs/policy-core/src/bounds/budget.ts";
import { maxReduceDepth } from "../../../libs/policy-core/src/bounds/loops.ts";
import {
  maxApart,
  maxPlannedTogether,
  maxRelationships,
} from "../../../libs/policy-core/src/bounds/patterns.ts";
import { maxLengths } from "../../../libs/policy-core/src/query/value-source.ts";
import { maxPattern } from "../../../libs/policy-core/src/regex/code-points.ts";
import { maxSubject } from "../../../libs/policy-core/src/regex/java.ts";
import { openLength } from "../../../libs/policy-core/src/rewrite/rewrite.ts";
import { referenceOf, type Language } from "../../../libs/policy-core/src/values/reference.ts";
import { accepted, constructs } from "../../../libs/policy-core/test/rules/constructs.ts";
import { functionCalls } from "../../../libs/policy-core/test/rules/expressions.ts";
import { policyOf, versions, type Version } from "../../../libs/policy-core/test/rules/versions.ts";
import { kinds, truthTable, type TruthRow } from "../../../libs/policy-core/test/truth-table.ts";
import { code, codeSpan } from "./cells.ts";
import { refusalTables } from "./refusal-tables.ts";
import { table } from "./table.ts";

const kindName = (value: unknown): string => (value === null ? "absent" : code(JSON.stringify(value)));

const truthOf = (attribute: unknown, operator: string, value: unknown): boolean | null | undefined =>
  truthTable.find(
    (row) =>
      row.operator === operator &&
      row.instants === undefined &&
      JSON.stringify(row.attribute) === JSON.stringify(attribute) &&
      JSON.stringify(row.value) === JSON.stringify(value),
  )?.truth;

const shown = (truth: boolean | null | undefined): string =>
  truth === undefined ? "" : truth === null ? "unknown" : String(truth);

const operators = (): string => {
  const names = [...new Set(truthTable.map(({ operator }) => operator))].filter(
    (operator) => leafRules[operator].takes.length > 0,
  );
  return table(
    ["operator", "attribute", ...kinds.map(kindName)],
    names.flatMap((operator) =>
      kinds
        .map((attribute) => ({
          name: kindName(attribute),
          truths: kinds.map((value) => truthOf(attribute, operator, value)),
        }))
        .filter(({ truths }) => truths.some((truth) => truth !== null))
        .map(({ name, truths }) => [code(operator), name, ...truths.map(shown)]),
    ),
  );
};

/** Characters that look like others are shown by their numbers. */
const literal = (value: unknown): string =>
  code(
    JSON.stringify(value ?? null).replaceAll(
      /[\u{80}-\u{FFFF}]/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  );

const comparisons = (rows: readonly TruthRow[]): string =>
  table(
    ["attribute", "operator", "value", "truth"],
    rows
      .filter(
        (row) => Math.max(JSON.stringify(row.attribute).length, JSON.stringify(row.value ?? 0).length) < 60,
      )
      .filter((row) => JSON.stringify([row.attribute, row.value]).isWellFormed())
      .map(({ attribute, operator, value, truth }) => [
        literal(attribute),
        code(operator),
        value === undefined ? "" : literal(value),
        shown(truth),
      ]),
  );

const cased: ReadonlyMap<string, string> = new Map(
  Object.keys(functionCalls).map((name) => [name.toLowerCase(), name]),
);

const functionTable = (): string =>
  table(
    ["function", "arguments", "for example"],
    [...functions].map(([name, { least, most, aggregate }]) => {
      const spelling = cased.get(name);
      if (spelling === undefined) throw new Error(`no test calls ${name}`);
      const count =
        most === Infinity ? `${least} or more` : least === most ? String(least) : `${least} to ${most}`;
      return [
        code(spelling),
        `${count}${aggregate ? ", of all rows" : ""}`,
        code(functionCalls[spelling] ?? ""),
      ];
    }),
  );

const outcome = (text: string): string => (text === accepted ? "yes" : "no");

const constructTable = (): string =>
  table(
    ["construct", ...versions],
    constructs.map(({ construct, outcomes }) => [
      construct,
      ...versions.map((version) => outcome(outcomes[version])),
    ]),
  );

const pathOf = (text: string): NodePath => {
  const path = readNodePath(text);
  if (isFault(path)) throw new Error(path.fault);
  return path;
};

const entries = [
  ...["a", "a.*", "a.external_id", "a.property.x", "a.property.x.*", "a.property.*"],
  ...["a.property.x.metadata.k", "a.trust_score.*"],
];

/** Which entry of a list covers which path. */
const covering = (paths: readonly string[], covers: typeof mayReadNode): string =>
  table(
    ["asked", ...entries.map(code)],
    paths.map((path) => [
      code(path),
      ...entries.map((entry) => (covers([pathOf(entry)], pathOf(path)) ? "yes" : "")),
    ]),
  );

const reads = [
  ...["a", "a.external_id", "a.property.x", "a.property.y", "a.property.x.metadata.k"],
  ...["a.trust_score._origin", "a.*", "a.property.*", "a.property.x.*", "a.trust_score.*"],
];
const deletes = ["a", "a.*", "a.property.x", "a.property.x.metadata.k"];

const fields: readonly (readonly [string, readonly string[]])[] = [
  ["token", ["claim"]],
  ["ik_token", ["claim"]],
  ["request", ["context", "key"]],
  ["subject_id", []],
  ["subject_external_id", []],
  ["subject_type", []],
  ["resource_external_id", []],
  ["resource_type", []],
  ["_appId", []],
  ["_name", []],
  ["__name", []],
  ["name", ["member"]],
];

const meanings = {
  parameter: "input parameter",
  token: "claim of the bearer token",
  request: "what the request says",
  application: "the calling application",
  platform: "filled by the platform",
  absent: "always null",
};

const reserved = (): string => {
  const meaning = (name: string, path: readonly string[], language: Language): string => {
    const found = referenceOf(name, path, language);
    return "fault" in found ? "refused" : meanings[found.kind];
  };
  return table(
    ["name", "KBAC", "CIQ"],
    fields.map(([name, path]) => [
      code([`$${name}`, ...path].join(".")),
      meaning(name, path, "kbac"),
      meaning(name, path, "ciq"),
    ]),
  );
};

/** A condition or filter that each warning is about; the first three need no schema, the last do. */
const warned: Readonly<Record<WarningCode, readonly [Version, object]>> = {
  "unbounded-path-capped": ["2.0-kbac", { cypher: "MATCH (subject)-[:NEXT*]->(resource)" }],
  "cartesian-product": ["2.0-kbac", { cypher: "MATCH (subject)-->(resource), (x:Vault)" }],
  "filter-never-true": [
    "2.0-kbac",
    {
      cypher: "MATCH (subject)-->(resource)",
      filter: { attribute: "$token.auth_age", operator: "STARTS WITH", value: "6" },
    },
  ],
  "subject-not-pinned": ["1.0-ciq", { cypher: "MATCH (subject:Archivist {active: true})-->(film:Film)" }],
  "unlabelled-scan": ["2.0-kbac", { cypher: "MATCH (subject), (resource)" }],
  "index-would-serve": [
    "2.0-kbac",
    { cypher: "MATCH (subject)-->(resource) MATCH (v:Vault) WHERE v.property.room = 7" },
  ],
  "unknown-label": ["2.0-kbac", { cypher: "MATCH (subject)-->(:Vualt)-->(resource)" }],
  "unknown-relationship-type": ["2.0-kbac", { cypher: "MATCH (subject)-[:KEPS]->(resource)" }],
  "unknown-property": [
    "2.0-kbac",
    { cypher: "MATCH (subject)-->(resource) WHERE resource.property.titel = 'M'" },
  ],
  "names-not-compared": ["2.0-kbac", { cypher: "MATCH (subject)-->(resource)" }],
};

const schema = {
  nodeTypes: new Map(
    ["Archivist", "Film", "Vault"].map((type) => [type, { properties: new Set(["title", "room"]) }] as const),
  ),
  relationshipTypes: new Set(["KEEPS", "NEXT"]),
};

const warnings = (): string =>
  table(
    ["code", "text", "for example"],
    Object.entries(warned).map(([name, [version, condition]]) => {
      const checked = compilePolicy(JSON.stringify(policyOf(version, condition)));
      const options = { schema: name === "names-not-compared" ? ("unread" as const) : schema };
      const found = checked.ok
        ? warningsOf(checked.value, options).find((each) => each.code === name)
        : undefined;
      if (found === undefined) throw new Error(`the example of ${name} is not warned of`);
      const { cypher, filter } = condition as { cypher: string; filter?: object };
      return [
        code(name),
        codeSpan(found.text),
        filter === undefined ? code(cypher) : code(JSON.stringify(filter)),
      ];
    }),
  );

const count = (number: number): string => number.toLocaleString("en-US");

const limits = (): string =>
  table(
    ["what", "at most"],
    [
      ["text of a policy or query, characters", maxText],
      ["nesting of its JSON, levels", maxJsonDepth],
      ["`condition.cypher`, characters", maxCypher],
      ["clauses, nodes and relationships of a condition together", maxParts],
      ["nesting of brackets, and of `CASE`, in a condition", maxNesting],
      ["nested operators; a chain of one of `AND`, `OR`, `XOR` counts once", maxTreeDepth],
      ["joined operators of such a chain", maxRecursionDepth],
      [
        "relationships of MATCH clauses without a WITH between them, of an OPTIONAL MATCH, of a subquery",
        maxPlannedTogether,
      ],
      ["patterns of those that share no node with another", maxApart],
      ["relationships of a condition together", maxRelationships],
      ["memory of one expression for one row, bytes (`EXPRESSION_MEMORY_BYTES`)", defaultBudget.memoryBytes],
      ["steps of the expressions of a condition for one row (`EXPRESSION_STEPS`)", defaultBudget.steps],
      ["nesting of `reduce`", maxReduceDepth],
      ["entries that a loop over a collected list is counted with", collectedEntries],
      ["hops of a path that states its bound", maxPathLength],
      ["hops of a path that states none", openLength],
      ["nesting of `CALL { }`", maxCallDepth],
      ["errors reported at once for one condition", maxFaults],
      ["nesting of a filter", maxFilterDepth],
      ["leaves of a filter", maxLeaves],
      ["regular expression, characters", maxPattern],
      ["text that a regular expression is tried on, characters", maxSubject],
      ["entries of `upsert_nodes`, and of `upsert_relationships`", maxUpserts],
      ["extra labels of a new node", maxLabels],
      ["text that is stored, characters", captureLimits.string],
      ["list that is stored, entries", captureLimits.listEntries],
      ["list that is stored, characters of all entries", captureLimits.listCharacters],
      ["`external_id`, characters", maxLengths.external_id],
      ["`external_value`, characters", maxLengths.external_value],
      ["metadata `source`, characters", maxLengths.source],
      ["rows that a writing query may match", maxRows],
    ].map(([what, most]) => [String(what), count(Number(most))]),
  );

/** Tables by the name that marks their place in the page. */
export const policyTables: Readonly<Record<string, () => string>> = {
  constructs: constructTable,
  functions: functionTable,
  operators,
  "comparisons of times": () =>
    comparisons(
      truthTable.filter(({ instants, truth, operator }) => instants && (truth !== null || operator === "<")),
    ),
  "comparisons by regular expressions": () =>
    comparisons(
      truthTable.filter(
        ({ operator, attribute, value }) =>
          operator === "=~" && typeof attribute === "string" && typeof value === "string",
      ),
    ),
  "reserved names": reserved,
  "allowed reads": () => covering(reads, mayReadNode),
  "allowed deletes": () => covering(deletes, mayDeleteNode),
  warnings,
  limits,
  ...refusalTables,
};
