import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Decision } from "@ikg/contracts";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { trySavePolicies } from "../../src/configuration/save-policy.ts";
import {
  evaluationPath,
  searchPath,
  executePath,
  question,
  searching,
  tenant,
  playground,
  post,
  requireUnchanged,
  useGuardedThings,
} from "../../src/fixtures/guarded-things.ts";
import { long } from "../../src/long.ts";
import { evaluate, tryEvaluate } from "../../src/requests/evaluate.ts";
import { execute, executePage } from "../../src/requests/execute.ts";
import { hostileTexts } from "../../src/requests/hostile-texts.ts";
import { requireRefusal, requireSound } from "../../src/requests/refusal.ts";
import { trySearchResource } from "../../src/requests/search-resource.ts";

useGuardedThings();

describe("decisions and searches", () => {
  const without = (key: string): object =>
    Object.fromEntries(Object.entries(question).filter(([name]) => name !== key));
  const bad: readonly (readonly [string, object, RegExp])[] = [
    ["no subject", without("subject"), /^subject: /],
    ["no action", without("action"), /^action: /],
    ["no resource", without("resource"), /^resource: /],
    ["subject null", { ...question, subject: null }, /^subject: /],
    ["subject as text", { ...question, subject: "Person:p1" }, /^subject: /],
    ["subject as list", { ...question, subject: [question.subject] }, /^subject/],
    ["no subject type", { ...question, subject: { id: "p1" } }, /^subject\.type: /],
    ["no subject id", { ...question, subject: { type: "Person" } }, /^subject\.id: /],
    ["an empty subject id", { ...question, subject: { type: "Person", id: "" } }, /^subject\.id: /],
    ["a subject id that is a number", { ...question, subject: { type: "Person", id: 1 } }, /^subject\.id: /],
    [
      "a subject id of 257 characters",
      { ...question, subject: { type: "Person", id: "x".repeat(257) } },
      /^subject\.id: /,
    ],
    ["an empty subject type", { ...question, subject: { type: "", id: "p1" } }, /^subject\.type: /],
    [
      "a subject type of 65 characters",
      { ...question, subject: { type: "T".repeat(65), id: "p" } },
      /^subject\.type: /,
    ],
    ["no action name", { ...question, action: {} }, /^action\.name: /],
    ["an action name that is a number", { ...question, action: { name: 1 } }, /^action\.name: /],
    ["an action name of 1 MB", { ...question, action: { name: "x".repeat(1_000_000) } }, /^action\.name: /],
    ["context as list", { ...question, context: [] }, /^context: /],
    ["input_params as list", { ...question, context: { input_params: [] } }, /^context\.input_params: /],
    ["input_params as text", { ...question, context: { input_params: "guess" } }, /^context\.input_params: /],
    ["policy_tags as text", { ...question, context: { policy_tags: "x" } }, /^context\.policy_tags: /],
    [
      "policy_tags of numbers",
      { ...question, context: { policy_tags: [1] } },
      /^context\.policy_tags\[0\]: /,
    ],
    [
      "properties as text",
      { ...question, subject: { ...question.subject, properties: "x" } },
      /^subject\.properties: /,
    ],
  ];
  it.each(bad)("%s is 400", async (_name, json, detail) => {
    await inParallel([evaluationPath, searchPath], async (path) => {
      expect(requireRefusal(await post(path, json), 400)[0]).toMatch(detail);
    });
  });

  it("no resource id is 400 for an evaluation, and ignored by a search", async () => {
    expect(requireRefusal(await post(evaluationPath, searching), 400)).toEqual([
      expect.stringMatching(/^resource\.id: /),
    ]);
    await inParallel(["t1", "other", 5, null, {}], async (id) => {
      expect(await post(searchPath, { ...searching, resource: { type: "Thing", id } })).toMatchObject({
        status: 200,
        body: { results: [] },
      });
    });
  });

  it.each([
    { limit: -1 },
    { limit: 1.5 },
    { limit: "10" },
    { limit: {} },
    { token: 5 },
    { token: "x" },
    { token: "e30.e30" },
    { token: "x".repeat(5_000) },
    { properties: [] },
  ])("page %j is 400", async (page) => {
    expect(requireRefusal(await post(searchPath, { ...searching, page }), 400)[0]).toMatch(/^page/);
  });

  it("unknown members are ignored at every level", async () => {
    const extra = { extra: { deep: [1, { x: null }] }, $where: "1" };
    const request = {
      ...extra,
      subject: { ...question.subject, ...extra },
      action: { ...question.action, ...extra },
      resource: { ...question.resource, ...extra },
      context: { ...extra, input_params: { guess: "sesame", ...extra } },
      page: {},
    };
    expect(await evaluate(request, tenant)).toEqual({ decision: true });
  });

  it("a parameter that is missing or null is 422 and named", async () => {
    const missing = [undefined, {}, { Guess: "sesame" }, { $guess: "sesame" }, { guess: null }];
    await inParallel(missing, async (input_params) => {
      for (const path of [evaluationPath, searchPath])
        expect(requireRefusal(await post(path, { ...question, context: { input_params } }), 422)).toEqual([
          "missing or wrong input params, 'guess'",
        ]);
    });
  });

  it("values of other kinds are never equal to the right one", async () => {
    const guesses = [
      ["sesame"],
      { a: "sesame" },
      true,
      1,
      1e300,
      "Sesame",
      "sesame ",
      "sesame\u0000",
      "*",
      ".*",
      "%",
    ];
    await inParallel([...guesses, ...hostileTexts], async (guess) => {
      const answer = await tryEvaluate({ ...question, context: { input_params: { guess } } }, tenant);
      requireSound(answer);
      expect((answer.body as Decision).decision).not.toBe(true);
    });
  });

  /** Conditions that the database cannot carry out with every value; the caller alone chooses the value. */
  const fragile: readonly (readonly [string, unknown])[] = [
    ["size($x) = 3", 5],
    ["size($x) = 3", { a: 1 }],
    ["substring(resource.property.code, $x) = 'a'", -1],
    ["left(resource.property.code, $x) = 'a'", "a"],
    ["toLower($x) = 'a'", 5],
    ["toInteger($x) = 1", [1]],
    ["date($x) IS NOT NULL", "no date"],
    ["datetime($x) IS NOT NULL", "2026-02-30T00:00:00Z"],
    ["duration($x) IS NOT NULL", "soon"],
    ["resource.property.code =~ $x", "("],
    ["1 / $x = 1", 0],
    ["-$x = 1", "a"],
    ["$x", "a"],
    ["$x[0] = 1", "a"],
    ["all(each IN $x WHERE each = 1)", 5],
    ["reduce(sum = 0, each IN $x | sum + each) = 1", "a"],
  ];
  const actionOf = (condition: string, x: unknown): string =>
    `FRAGILE_${fragile.findIndex(([other, value]) => other === condition && value === x)}`;
  beforeAll(async () => {
    const saved = await trySavePolicies(
      playground.projectId,
      fragile.map(([condition, x]) => ({
        policy: {
          meta: { policy_version: "2.0-kbac" },
          subject: { type: "Person" },
          actions: [actionOf(condition, x)],
          resource: { type: "Thing" },
          condition: { cypher: `MATCH (subject:Person), (resource:Thing) WHERE ${condition}` },
        },
      })),
    );
    for (const answer of saved) requireSound(answer);
  }, 60_000);

  it.each(fragile)("the condition %s with %j is no failure of the server", async (condition, x) => {
    const request = {
      ...question,
      action: { name: actionOf(condition, x) },
      context: { input_params: { x } },
    };
    const answer = await tryEvaluate(request, playground);
    requireSound(answer);
    expect([200, 422]).toContain(answer.status);
    expect(answer.text).not.toContain("true");
  });

  /** In `npm test` every other one: each position with half of the texts, each text in half of the positions. */
  const isSearched = (text: number, position: number): boolean => long((text + position) % 2 === 0, true);

  it("hostile texts in every position are names that match nothing", async () => {
    await inParallel([...hostileTexts.entries()], async ([number, text]) => {
      const id = text.slice(0, 60);
      const requests = [
        { ...question, subject: { type: id, id: "p1" } },
        { ...question, subject: { type: "Person", id } },
        { ...question, resource: { type: id, id: "t1" } },
        { ...question, resource: { type: "Thing", id } },
        { ...question, action: { name: id } },
        { ...question, context: { input_params: { guess: "wrong", [id]: "sesame" } } },
        { ...question, context: { input_params: { guess: "wrong" }, policy_tags: [id] } },
        { ...question, subject: { ...question.subject, properties: { [id]: id } } },
      ];
      for (const [position, each] of requests.entries()) {
        const decided = await tryEvaluate(each, tenant);
        requireSound(decided);
        expect(decided).toMatchObject({ status: 200, body: { decision: false } });
        if (!isSearched(number, position)) continue;
        const searched = await trySearchResource(each, tenant);
        requireSound(searched);
        expect(searched).toMatchObject({ status: 200, body: { results: [] } });
      }
    });
  });

  it("values under generated names are ignored", async () => {
    const names = [
      "__row",
      "__k",
      "token",
      "request",
      "subject_external_id",
      "_appId",
      "s",
      "r",
      "i",
      "c0",
      "__proto__",
    ];
    await inParallel(names, async (name) => {
      const input_params: unknown = JSON.parse(`{"guess":"wrong","${name}":"sesame"}`);
      expect(await evaluate({ ...question, context: { input_params } }, tenant)).toEqual({ decision: false });
    });
  });
});

describe("execution", () => {
  const bad: readonly (readonly [string, object, RegExp])[] = [
    ["no id", {}, /^id: /],
    ["an id that is a number", { id: 1 }, /^id: /],
    ["an empty id", { id: "" }, /^id: /],
    ["an id of 255 characters", { id: "x".repeat(255) }, /^id: /],
    ["input_params as list", { id: "by-guess", input_params: [] }, /^input_params: /],
    [
      "a parameter that is an object",
      { id: "by-guess", input_params: { guess: {} } },
      /^input_params\.guess: /,
    ],
    [
      "a parameter that is a list in a list",
      { id: "by-guess", input_params: { guess: [["x"]] } },
      /^input_params\.guess/,
    ],
    [
      "a parameter of 65,537 characters",
      { id: "by-guess", input_params: { guess: "x".repeat(65_537) } },
      /^input_params/,
    ],
    ["page_size 1,001", { id: "by-guess", page_size: 1_001 }, /^page_size: /],
    ["page_size 1.5", { id: "by-guess", page_size: 1.5 }, /^page_size: /],
    ["page_size as text", { id: "by-guess", page_size: "10" }, /^page_size: /],
    ["page_token as text", { id: "by-guess", page_token: "1" }, /^page_token: /],
    ["page_token 0.5", { id: "by-guess", page_token: 0.5 }, /^page_token: /],
    ["page_token beyond every integer", { id: "by-guess", page_token: 1e300 }, /^page_token: /],
  ];
  it.each(bad)("%s is 400", async (_name, json, detail) => {
    expect(requireRefusal(await post(executePath, json), 400)[0]).toMatch(detail);
  });

  it("an id or name that does not exist is 404", async () => {
    const ids = [
      "nope",
      "gid:",
      "gid:AAAA",
      `gid:${"A".repeat(27)}`,
      tenant.projectId,
      ...hostileTexts,
      "__proto__",
      "constructor",
    ];
    await inParallel(ids, async (id) => {
      requireRefusal(await post(executePath, { id: id.slice(0, 254) }), 404);
    });
  });

  it("pages without end are empty", async () => {
    const execution = { id: "by-guess", input_params: { guess: "sesame" } };
    expect(await execute(execution, tenant)).toHaveLength(1);
    await inParallel([2, 1_000_000, Number.MAX_SAFE_INTEGER], async (page_token) => {
      expect(await executePage({ ...execution, page_token }, tenant)).toEqual([]);
    });
    await inParallel([-1, 0, 1, Number.MIN_SAFE_INTEGER], async (page_token) => {
      expect(await executePage({ ...execution, page_token, page_size: -5 }, tenant)).toHaveLength(1);
    });
  });

  it("hostile texts are values, and their names belong to no node", async () => {
    await inParallel(hostileTexts, async (text) => {
      expect(await execute({ id: "by-guess", input_params: { guess: text } }, tenant)).toEqual([]);
      const named = { guess: "sesame", [text]: "x", __row: "x", token: "x", _appId: "x", __proto__x: 1 };
      expect(await execute({ id: "by-guess", input_params: named }, tenant)).toHaveLength(1);
    });
  });

  it("values of other kinds find nothing", async () => {
    await inParallel([1, true, ["sesame"], [], [1, 2]], async (guess) => {
      const answer = await post(executePath, { id: "by-guess", input_params: { guess } });
      requireSound(answer);
      expect(answer.text).not.toContain("sesame");
    });
  });
});

it("after all this nothing has changed", requireUnchanged);
