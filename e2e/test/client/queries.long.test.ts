import { describe, expect, it } from "@jest/globals";
import { StepUpRequired } from "@ikg/client";
import { documents, failureOf, ikg, project } from "../../src/fixtures/client-project.ts";

describe("queries", () => {
  it("have every row, page by page", async () => {
    const rows = await ikg.query("all", {}, { pageSize: 17 }).toArray();
    expect(new Set(rows.map(({ nodes }) => nodes["document.external_id"]))).toEqual(new Set(documents));
    expect(rows).toHaveLength(300);
    const cut = await ikg.query("all", {}, { pageBytes: 1_500 }).toArray();
    expect(cut).toHaveLength(300);
  });

  it("are those of the person of the token", async () => {
    const token = await project.signIn("p2");
    const p2 = ikg.as({ type: "Person", id: "p2", token });
    expect(await p2.whoami()).toEqual({ type: "Person", id: "p2" });
    expect(await p2.query("own").toArray()).toHaveLength(100);
  });

  it("ask for a stronger sign-in", async () => {
    const token = await project.signIn("p2", { auth_time: Math.floor(Date.now() / 1_000) - 900 });
    const error = await failureOf(ikg.as({ type: "Person", id: "p2", token }).query("own").toArray());
    expect(error).toBeInstanceOf(StepUpRequired);
    expect((error as StepUpRequired).advice["max_age"]).toBe("300");
    expect([error.code, error.status]).toEqual(["token_filter_failed", 401]);
  });
});
