/** Every refusal of the policy language with its example; a test of the language runs each of them. */
import { cypherRefusals } from "../../../libs/policy-core/test/rules/refusals/cypher.ts";
import { filterKinds, filterRefusals } from "../../../libs/policy-core/test/rules/refusals/filters.ts";
import { patternRefusals } from "../../../libs/policy-core/test/rules/refusals/patterns.ts";
import { policyRefusals } from "../../../libs/policy-core/test/rules/refusals/policies.ts";
import { queriedPolicy, queryRefusals } from "../../../libs/policy-core/test/rules/refusals/queries.ts";
import { requestRefusals } from "../../../libs/policy-core/test/rules/refusals/requests.ts";
import { versions } from "../../../libs/policy-core/test/rules/versions.ts";
import { code, codeSpan } from "./cells.ts";
import { table } from "./table.ts";

const withoutPlace = (text: string): string => text.replace(/ \(line \d+, column \d+\)$/, "");

const those = (which: readonly string[], all: readonly string[]): string =>
  which.length === all.length ? "all" : which.join(", ");

/** Rows of one text and different examples stand as one row of the first. */
const distinct = (rows: readonly (readonly string[])[]): readonly (readonly string[])[] => [
  ...new Map(rows.map((cells) => [JSON.stringify(cells), cells])).values(),
];

/** Tables by the name that marks their place in the page. */
export const refusalTables: Readonly<Record<string, () => string>> = {
  "refusals of conditions": () =>
    table(
      ["refusal", "for example", "versions"],
      distinct(
        cypherRefusals.map(({ text, example, versions: which }) => [
          codeSpan(withoutPlace(text)),
          code(example),
          those(which, versions),
        ]),
      ),
    ),
  "refusals of filters": () =>
    table(
      ["refusal", "filter", "where"],
      filterRefusals.map(({ text, example, kinds }) => [
        codeSpan(text),
        code(example),
        those(kinds, filterKinds),
      ]),
    ),
  "refusals of policies": () =>
    table(
      ["refusal", "part of the policy", "versions"],
      policyRefusals.map(({ text, example, versions: which }) => [
        codeSpan(text),
        code(example.trim() === "" ? "a longer text" : example),
        those(which, versions),
      ]),
    ),
  "the policy of the refused queries": () =>
    `\`\`\`json\n${JSON.stringify(queriedPolicy, undefined, 2)}\n\`\`\``,
  "refusals of queries": () =>
    table(
      ["refusal", "query"],
      queryRefusals.map(({ text, example }) => [codeSpan(text), code(example)]),
    ),
  "refusals of regular expressions": () =>
    table(
      ["refusal", "expression"],
      patternRefusals.map(({ text, example }) => [codeSpan(text), code(example)]),
    ),
  "refusals of calls": () =>
    table(
      ["refusal", "when"],
      requestRefusals.map(({ text, example }) => [codeSpan(text), example]),
    ),
};
