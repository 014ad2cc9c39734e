import { describe, expect, it } from "@jest/globals";
import { faultTexts, type FaultText } from "./fault-sources.ts";
import { cypherRefusals } from "./refusals/cypher.ts";
import { filterRefusals } from "./refusals/filters.ts";
import { patternRefusals } from "./refusals/patterns.ts";
import { otherKind, policyRefusals } from "./refusals/policies.ts";
import { queryRefusals } from "./refusals/queries.ts";
import { requestRefusals } from "./refusals/requests.ts";

/** Texts that no text of an author and no call leads to, and why they are in the source all the same. */
const unreached: Readonly<Record<string, string>> = {
  "wildcards are allowed in allow-lists and projections only": "a name of the cypher holds no *",
  "nested deeper than ${}": "the JSON is nested too deeply before the filter is",
  "half a character": "a pattern of an author is refused as text before, one of a call as a parameter",
};

const sourceText = ({ parts }: FaultText): string => parts.map((part) => part ?? "${}").join("");

const matcher = ({ parts }: FaultText): RegExp => {
  const pattern = parts.map((part) => (part === undefined ? "[^]*" : RegExp.escape(part))).join("");
  return new RegExp(`(^|: )${pattern}( \\(line \\d+, column \\d+\\))?$`);
};

describe("the catalogue of refusals", () => {
  const texts = [
    ...[
      cypherRefusals,
      filterRefusals,
      policyRefusals,
      queryRefusals,
      patternRefusals,
      requestRefusals,
    ].flatMap((refusals) => refusals.map(({ text }) => text)),
    otherKind,
  ];

  const found = faultTexts();

  it("has an entry for every text by which the source refuses something", () => {
    expect(found.length).toBeGreaterThan(150);
    const missing = found.filter(
      (fault) => !(sourceText(fault) in unreached) && !texts.some((text) => matcher(fault).test(text)),
    );
    expect([...new Set(missing.map((fault) => `${fault.file}: ${sourceText(fault)}`))]).toEqual([]);
  });

  it("excuses nothing that is not in the source", () => {
    const sourceTexts = new Set(found.map(sourceText));
    expect(Object.keys(unreached).filter((text) => !sourceTexts.has(text))).toEqual([]);
  });
});
