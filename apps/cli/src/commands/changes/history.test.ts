import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Answers, ScriptedSuite } from "../../../test/scripted-suite.ts";

const change = (id: string, more: object = {}) => ({
  id,
  project_id: "gid:p",
  create_time: "2026-01-01T00:00:00Z",
  created_by: "gid:s",
  changes: [
    {
      collection: "authorization-policies",
      id: "gid:a",
      name: "may-fly",
      op: "put",
      from_version: 1,
      to_version: 2,
    },
  ],
  ...more,
});

const list = (...items: readonly object[]): readonly [number, unknown] => [
  200,
  { items, has_more: false, next_cursor: "" },
];
const policy = { id: "gid:a", name: "may-fly", policy: "{}", status: "ACTIVE" };
const policies = "/configs/v1/authorization-policies";

let suite: ScriptedSuite;
beforeEach(async () => {
  suite = await ScriptedSuite.start();
});
afterEach(() => suite.close());

const answers = (given: Answers): void => {
  suite.answers = {
    "GET /configs/v1/changes": () => list(change("gid:2", { reverts: "gid:1" }), change("gid:1")),
    "GET /configs/v1/changes/gid:1": () => [200, change("gid:1")],
    "GET /configs/v1/service-accounts/gid:s": () => [200, { id: "gid:s", name: "release" }],
    [`GET ${policies}/may-fly`]: ({ query }) =>
      query.has("version") ? [404, { message: "Not Found" }] : [200, policy],
    [`GET ${policies}/gid:a/versions`]: () => list({ version: 5 }, { version: 1 }),
    ...given,
  };
};

describe("ikg history", () => {
  it("says which change a revert undid, and the name of who made it", async () => {
    answers({});
    const { code, output } = await suite.run(["history"]);
    expect(code).toBe(0);
    expect(output).toMatch(/ may-fly 1→2 \(reverts gid:1\) +release +gid:2\n/);
    expect(suite.requests.filter((each) => each.includes("service-accounts"))).toHaveLength(1);
    const [first] = JSON.parse((await suite.run(["history", "-o", "json"])).output) as object[];
    expect(first).toEqual(change("gid:2", { reverts: "gid:1" }));
  });

  it("has the gid of who made a change where the account cannot be read", async () => {
    answers({ "GET /configs/v1/service-accounts/gid:s": () => [403, { message: "Forbidden" }] });
    expect((await suite.run(["history"])).output).toMatch(/ gid:s +gid:2\n/);
  });

  it("fails for a name that no policy or query has or had", async () => {
    answers({});
    expect(await suite.run(["history", "nothing"])).toEqual({
      code: 2,
      output: "",
      errors: "error: unknown policy or query nothing\n",
    });
    answers({ "GET /configs/v1/changes": () => list() });
    expect((await suite.run(["history", "may-fly"])).output).toBe("No changes.\n");
  });
});

describe("ikg revert", () => {
  const revert = ["revert", "gid:1", "--yes"];

  it("says that it is live in two seconds, and that the files are behind", async () => {
    const answer = { ...change("gid:3"), unchanged: [], warnings: [] };
    answers({ "POST /configs/v1/changes/gid:1/revert": () => [200, answer] });
    const { code, output } = await suite.run(revert);
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(
        /^may-fly 1→2\.\nChange gid:3 takes effect within two seconds\.\n.*run ikg pull before the next ikg apply\.\n$/,
      ),
    ]);
  });

  it("says that a change is reverted already", async () => {
    const errors = ["changes[0].if_version: version 3, expected 2"];
    answers({ "POST /configs/v1/changes/gid:1/revert": () => [409, { message: "Conflict", errors }] });
    const { code, errors: shown } = await suite.run(revert);
    expect([code, shown]).toEqual([
      2,
      expect.stringMatching(
        /^error: not reverted: change gid:2 of 2026\S+ has already reverted it; use --force /,
      ),
    ]);
    answers({
      "POST /configs/v1/changes/gid:1/revert": () => [409, { message: "Conflict", errors }],
      "GET /configs/v1/changes": () => list(change("gid:1")),
    });
    expect((await suite.run(revert)).errors).toMatch(/version 3, expected 2.*; use --force to revert/);
  });
});

describe("what there is not", () => {
  it("is named, with what there is", async () => {
    answers({});
    const noChange = "error: unknown change record gid:9; list them with ikg history\n";
    for (const command of ["revert", "diff"])
      expect((await suite.run([command, "gid:9"])).errors).toBe(noChange);
    const noVersion = "error: may-fly has no version 9; available: 1 to 5\n";
    expect((await suite.run(["diff", "may-fly@9", "may-fly"])).errors).toBe(noVersion);
    answers({
      [`POST ${policies}/gid:a/rollback`]: () => [
        422,
        {
          message: "Unprocessable Entity",
          errors: ["version: the record has no such version, or none is kept"],
        },
      ],
    });
    expect((await suite.run(["rollback", "may-fly", "9", "--yes"])).errors).toBe(noVersion);
    expect((await suite.run(["diff", "queries/none", "may-fly"])).errors).toBe("error: unknown query none\n");
  });

  it("is a project among several, which the message names", async () => {
    const variables = { IKG_PROJECT: "" };
    answers({
      "GET /configs/v1/projects": () => [200, { data: [{ name: "hangar" }, { name: "airfield" }] }],
    });
    expect((await suite.run(["history"], { variables })).errors).toBe(
      "error: project required: set --project NAME or IKG_PROJECT; available: airfield, hangar\n",
    );
    answers({ "GET /configs/v1/projects": () => [200, { data: [] }] });
    expect((await suite.run(["history"], { variables })).errors).toBe(
      "error: there is no project; create one with ikg create projects\n",
    );
  });
});
