import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ScriptedSuite } from "../../../test/scripted-suite.ts";

let suite: ScriptedSuite;
let sizes: unknown[];
beforeEach(async () => {
  suite = await ScriptedSuite.start();
  sizes = [];
  suite.answers = {
    "POST /ciq/v1/execute": ({ body }) => {
      sizes.push(body["page_size"]);
      return [200, { data: [{ nodes: { "a.external_id": "A-17" } }] }];
    },
  };
});
afterEach(() => suite.close());

describe("ikg query", () => {
  it.each([
    ["that reads", "sign"],
    ["that writes", "sign --write"],
  ])("%s has pages of the size that its options state", async (_kind, query) => {
    for (const options of ["", " --page-size 500", " --limit 7"]) {
      const { code, output } = await suite.run(`query ${query}${options} -o csv`.split(" "), {
        variables: { IKG_CLIENT_KEY: "k" },
      });
      expect([code, output]).toEqual([0, "a.external_id\r\nA-17\r\n"]);
    }
    expect(sizes).toEqual([1_000, 500, 7]);
  });

  const pages: readonly (readonly [options: string, more: object, isWarned: boolean])[] = [
    ["", {}, false],
    ["--page-size 2", {}, true],
    ["--page-size 2 --limit 9", {}, true],
    ["--limit 2", {}, false],
    ["", { next_page_token: 2 }, true],
  ];
  for (const [options, more, isWarned] of pages)
    it(`that writes says whether there may be more rows: ${options} ${JSON.stringify(more)}`, async () => {
      const data = ["A-1", "A-2"].map((id) => ({ nodes: { "a.external_id": id } }));
      suite.answers = { "POST /ciq/v1/execute": () => [200, { data, ...more }] };
      const words = `query sign --write ${options} -o ndjson`.split(" ").filter(Boolean);
      const { code, errors } = await suite.run(words, { variables: { IKG_CLIENT_KEY: "k" } });
      expect([code, errors.includes("there may be more rows than the 2 shown")]).toEqual([0, isWarned]);
    });
});
