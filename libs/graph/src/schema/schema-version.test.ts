import { describe, expect, it } from "@jest/globals";
import { schemaVersions, whyUnmigratable, whyUnreadable } from "./schema-version.ts";

const build = { oldest: 2, newest: 4, readableFrom: 3 };

describe("whyUnreadable", () => {
  it.each([
    [2, 1],
    [4, 3],
    // A later release has upgraded the data, and says that this one still reads it.
    [5, 4],
    [7, 4],
  ])("lets a build work on version %i that is readable from %i", (version, readableFrom) => {
    expect(whyUnreadable({ version, readableFrom }, build)).toBeUndefined();
  });

  it("refuses data that is too old, in one line that says what to do", () => {
    expect(whyUnreadable({ version: 1, readableFrom: 0 }, build)).toBe(
      "the data has schema version 1; this release supports schema versions 2 to 4: run the release before this one until its migrations have ended, see docs/upgrading.md",
    );
  });

  it("refuses data that only later builds read", () => {
    expect(whyUnreadable({ version: 6, readableFrom: 5 }, build)).toBe(
      "the data has schema version 6, which requires a release that supports version 5 or later; this release supports schema versions 2 to 4: run the release that upgraded the data or a later one, see docs/upgrading.md",
    );
  });

  it("says to do about data that is too old what its caller names", () => {
    expect(whyUnreadable({ version: 1, readableFrom: 0 }, build, "wait for its migration")).toBe(
      "the data has schema version 1; this release supports schema versions 2 to 4: wait for its migration, see docs/upgrading.md",
    );
  });

  it.each([
    [Number.NaN, 3],
    [3, Number.NaN],
    [3.5, 3],
  ])("refuses a version that is none: %p, readable from %p", (version, readableFrom) => {
    expect(whyUnreadable({ version, readableFrom }, build)).toBe(
      "the schema version of the data is not a whole number; this release supports schema versions 2 to 4: correct schema_version and schema_readable_from of its node _Claim, see docs/upgrading.md",
    );
  });

  it("lets this build work on what it writes, and on what was never versioned", () => {
    const { newest, readableFrom } = schemaVersions;
    expect(whyUnreadable({ version: newest, readableFrom }, schemaVersions)).toBeUndefined();
    expect(whyUnreadable({ version: 0, readableFrom: 0 }, schemaVersions)).toBeUndefined();
  });
});

describe("whyUnmigratable", () => {
  it("lets a build migrate data that is older than what it understands", () => {
    expect(whyUnmigratable({ version: 1, readableFrom: 0 }, build)).toBeUndefined();
    expect(whyUnreadable({ version: 1, readableFrom: 0 }, build)).toBeDefined();
  });

  it.each([
    [6, 5],
    // A migration of a later release has begun.
    [1, 5],
    [Number.NaN, 3],
    [3, 3.5],
  ])(
    "refuses what whyUnreadable refuses otherwise: version %p, readable from %p",
    (version, readableFrom) => {
      const reason = whyUnmigratable({ version, readableFrom }, build);
      expect(reason).toBeDefined();
      expect(whyUnreadable({ version, readableFrom }, build)).toBe(reason);
    },
  );
});
