import { describe, expect, it } from "@jest/globals";
import { projectKey } from "@ikg/physical";
import { kbac } from "../../test/warned-policies.ts";
import { warningsOf } from "./warnings.ts";

describe("a warning of an index", () => {
  const policy = kbac(
    "MATCH (subject:Nurse), (resource:Chart) WHERE resource.property.type CONTAINS 'a' AND resource.property.risk = 1",
  );

  it("holds the statement only with the key of the project", () => {
    expect(warningsOf(policy).map(({ statement }) => statement)).toEqual([undefined, undefined]);
    expect(warningsOf(policy, { pk: projectKey("abcd1234") }).map(({ statement }) => statement)).toEqual([
      expect.stringMatching(
        /^CREATE TEXT INDEX ix_[0-9a-f]{16} IF NOT EXISTS FOR \(n:Chart__abcd1234\) ON \(n\.`_p\.type`\)$/,
      ),
      expect.stringMatching(
        /^CREATE RANGE INDEX ix_[0-9a-f]{16} IF NOT EXISTS FOR \(n:Chart__abcd1234\) ON \(n\.risk\)$/,
      ),
    ]);
  });

  it("names the index after what it is on", () => {
    const statements = ["abcd1234", "abcd1235"].flatMap((pk) =>
      warningsOf(policy, { pk: projectKey(pk) }).map(({ statement }) => statement?.split(" ")[3]),
    );
    expect(new Set(statements).size).toBe(4);
  });
});
