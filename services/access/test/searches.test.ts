import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { StoredKbacPolicy } from "@ikg/catalog";
import { isLongRun } from "../../../stack/src/testing/test-environment.ts";
import type { Decide } from "../src/decisions/decide.ts";
import {
  openWard,
  type Ward,
  nurses,
  options,
  policy,
  snapshot,
  keepers,
  seniors,
  limited,
  own,
  token,
  asking,
} from "./ward.ts";

let ward: Ward;

beforeAll(async () => {
  ward = await openWard();
});
afterAll(() => ward.close());

describe("subject search", () => {
  const found = async (policies: StoredKbacPolicy[], changes = {}): Promise<string[]> =>
    (await ward.subjects(snapshot(...policies), asking(changes), undefined, options)).results.map(
      ({ id }) => id,
    );

  it("finds who an evaluation grants, ascending, each once over all policies", async () => {
    expect(await found([keepers])).toEqual(["n0", "n3"]);
    expect(await found([keepers, seniors])).toEqual(["n0", "n2", "n3", "n4"]);
    const lists = [[keepers, seniors], [own]];
    for (const candidates of isLongRun() ? [[keepers], ...lists] : lists)
      for (const chart of ["c0", "c1", "unknown"]) {
        const resource = { type: "Chart", id: chart };
        const by = await Promise.all(
          nurses.map(async (id) => {
            const { decision } = await ward.decide(
              snapshot(...candidates),
              asking({ subject: { type: "Nurse", id }, resource }) as Parameters<Decide>[1],
              options,
            );
            return decision ? [id] : [];
          }),
        );
        expect(await found(candidates, { resource })).toEqual(by.flat());
      }
  });

  it("ignores an id of the subject, and knows no other type or action", async () => {
    expect(await found([keepers], { subject: { type: "Nurse", id: "n4" } })).toEqual(["n0", "n3"]);
    expect(await found([keepers], { subject: { type: "Robot" } })).toEqual([]);
    expect(await found([keepers], { action: { name: "BURN" } })).toEqual([]);
  });

  it("walks the same set in pages, with a token that is bound to the question", async () => {
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const answer = await ward.subjects(
        snapshot(keepers, seniors),
        asking(),
        next === undefined ? { limit: 1 } : { token: next },
        options,
      );
      expect(Object.keys(answer)).toEqual(["page", "results"]);
      seen.push(...answer.results.map(({ id }) => id));
      next = answer.page?.next_token;
    } while (next !== undefined && next !== "");
    expect(seen).toEqual(["n0", "n2", "n3", "n4"]);
    const first = await ward.subjects(snapshot(keepers), asking(), { limit: 1 }, options);
    const other = asking({ resource: { type: "Chart", id: "c1" } });
    await expect(
      ward.subjects(snapshot(keepers), other, { token: first.page?.next_token }, options),
    ).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("finds under 3.0-kbac only the bearer's own subject, and all subjects without a bearer", async () => {
    expect(await found([own])).toEqual(nurses);
    expect(await found([own], { token: token("n2") })).toEqual(["n2"]);
    expect(await found([own], { token: token("stranger") })).toEqual([]);
    expect(await found([own, keepers], { token: token("n2") })).toEqual(["n0", "n2", "n3"]);
  });

  it("names a parameter that kept it from finding anything", async () => {
    const counting = asking({ action: { name: "COUNT" } });
    await expect(ward.subjects(snapshot(limited), counting, undefined, options)).rejects.toMatchObject({
      errors: ["missing or wrong input params, 'max'"],
    });
    const given = { ...counting, context: { input_params: { max: 2 } } };
    const { results } = await ward.subjects(snapshot(limited), given, undefined, options);
    expect(results.map(({ id }) => id)).toEqual(["n0", "n1"]);
  });
});

describe("action search", () => {
  const writing = policy("MATCH (subject)-[:KEEPS]->(resource)", ["WRITE", "READ", "SIGN"]);
  const named = async (policies: StoredKbacPolicy[], changes = {}, page?: object) =>
    ward.actions(
      snapshot(...policies),
      { ...asking(), subject: { type: "Nurse", id: "n1" }, ...changes },
      page,
      options,
    );

  it("finds the actions that some policy grants, each once, ascending", async () => {
    expect(await named([writing, seniors])).toEqual({ results: [] });
    const mine = { resource: { type: "Chart", id: "c1" } };
    expect(await named([writing, keepers], mine)).toEqual({
      results: [{ name: "READ" }, { name: "SIGN" }, { name: "WRITE" }],
    });
    expect(await named([seniors], { subject: { type: "Nurse", id: "n2" } })).toEqual({
      results: [{ name: "READ" }],
    });
    expect(await named([writing], { subject: { type: "Robot", id: "n2" } })).toEqual({ results: [] });
  });

  it("does not fail for a parameter that one policy lacks", async () => {
    const mine = { resource: { type: "Chart", id: "c1" } };
    expect(await named([limited, keepers], mine)).toEqual({ results: [{ name: "READ" }] });
    expect(await named([limited], { ...mine, context: { input_params: { max: 2 } } })).toEqual({
      results: [{ name: "COUNT" }],
    });
  });

  it("refuses another subject's bearer as soon as a 3.0 policy takes part, and walks in pages", async () => {
    await expect(named([own], { token: token("n2") })).rejects.toMatchObject({ status: 403 });
    const mine = { resource: { type: "Chart", id: "c1" } };
    const first = await named([writing], mine, { limit: 2 });
    expect(first).toMatchObject({ page: { count: 2 }, results: [{ name: "READ" }, { name: "SIGN" }] });
    const second = await named([writing], mine, { token: first.page?.next_token });
    expect(second).toEqual({ page: { next_token: "", count: 1 }, results: [{ name: "WRITE" }] });
    expect(await named([writing], mine, { limit: 0 })).toMatchObject({ page: { count: 0, total: 3 } });
  });
});
