import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openCountingProxy } from "../../src/documentation/counting-proxy.ts";
import { type AirfieldShell, openAirfieldShell } from "../../src/fixtures/airfield-shell.ts";
import { openRecipeFolder, type RecipeFolder } from "../../src/fixtures/recipe-folder.ts";

/** The recipes of docs/recipes, run as they stand against the airfield, and against a suite that is down. */
let shell: AirfieldShell;
let recipes: RecipeFolder;
let present: Readonly<Record<string, string>>;
/** Nothing listens there. */
let absent: Readonly<Record<string, string>>;

beforeAll(async () => {
  shell = await openAirfieldShell();
  recipes = openRecipeFolder();
  present = { IKG_URL: shell.project.baseUrl, IKG_CLIENT_KEY: shell.project.clientKey };
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  absent = { ...present, IKG_URL: `http://127.0.0.1:${typeof address === "object" ? address?.port : 1}` };
}, 120_000);
afterAll(async () => {
  await recipes?.remove();
  await shell?.remove();
});

const minutesAgo = (minutes: number): number => Math.floor(Date.now() / 1_000) - minutes * 60;

const keys = "/aircraft/N211/keys";

interface Answer {
  readonly status: number;
  readonly challenge: string | null;
  readonly body: unknown;
}

const ask = async (address: string, path: string, token?: string): Promise<Answer> => {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(`${address}${path}`, { headers });
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate"),
    body: await response.json(),
  };
};

describe("express-api", () => {
  it("lets those pass who may, and says to others why not", async () => {
    const address = await recipes.serve("express-api.mjs", present);
    const amelia = await shell.project.signIn("amelia");
    const louis = await shell.project.signIn("louis");
    const answers = await Promise.all([
      ask(address, keys, amelia),
      ask(address, "/aircraft/N950/keys", amelia),
      ask(address, keys, louis),
      ask(address, keys),
      ask(address, keys, "a.b.c"),
      ask(address, "/my/ratings"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 401, 401, 401]);
    expect(answers[0]?.body).toEqual({ hook: "N211" });
    const { status, body } = await ask(address, "/my/ratings", amelia);
    expect([status, body]).toEqual([
      200,
      [{ nodes: expect.objectContaining({ "subject.external_id": "amelia" }) }],
    ]);
  }, 60_000);

  it("asks for a new sign-in where the policy wants one", async () => {
    const address = await recipes.serve("express-api.mjs", present);
    const old = await shell.project.signIn("amelia", { auth_time: minutesAgo(15) });
    expect(await ask(address, "/my/ratings", old)).toEqual({
      status: 401,
      challenge:
        'Bearer error="insufficient_user_authentication", error_description="Please sign in again.", max_age="300"',
      body: { message: "Please sign in again." },
    });
    expect((await ask(address, keys, old)).status).toBe(200);
  });
});

describe("buttons", () => {
  it("are decided by one request for each person", async () => {
    const proxy = await openCountingProxy(shell.project.baseUrl);
    try {
      expect(await recipes.run("buttons.mjs", { ...present, IKG_URL: proxy.address })).toEqual({
        lines: ["amelia N211: [Fly], N950: -", "louis N211: -, N950: -"],
        errors: "",
        code: 0,
      });
      expect(proxy.paths).toEqual(["/access/v1/evaluations", "/access/v1/evaluations"]);
    } finally {
      await proxy.close();
    }
  });
});

describe("own-data", () => {
  it("stands beside what the person may see", async () => {
    expect(await recipes.run("own-data.mjs", present)).toEqual({
      lines: ['amelia [{"id":"N211","name":"Spirit of Dakota","seats":21}]', "louis []"],
      errors: "",
      code: 0,
    });
  });
});

describe("read-your-writes", () => {
  it("sees each write in the next read, also elsewhere", async () => {
    expect(await recipes.run("read-your-writes.mjs", present)).toEqual({
      lines: ["before false", "after true", "elsewhere true", "deleted false"],
      errors: "",
      code: 0,
    });
  });
});

describe("who-can-see", () => {
  it("lists every subject with the reason", async () => {
    const path = "RATED_FOR dc3, N211 IS dc3";
    expect(await recipes.run("who-can-see.mjs", present)).toEqual({
      lines: [`amelia: may-fly, amelia ${path}`, `louis: may-fly, louis ${path}`],
      errors: "",
      code: 0,
    });
    expect((await recipes.run("who-can-see.mjs", present, "N211", "100")).lines).toHaveLength(1);
    expect((await recipes.run("who-can-see.mjs", present, "N950")).lines).toEqual([]);
  });
});

describe("while nothing can be decided", () => {
  const runWithoutSuite = (name: string) => recipes.run(name, absent);

  it("no request passes, no button is shown, and no list is short", async () => {
    const programs = ["own-data.mjs", "read-your-writes.mjs", "who-can-see.mjs"];
    const [keysOfAmelia, buttons, ...others] = await Promise.all([
      recipes.serve("express-api.mjs", absent).then(async (address) => {
        const amelia = await shell.project.signIn("amelia");
        return [await ask(address, keys, amelia), await ask(address, "/my/ratings", amelia)];
      }),
      runWithoutSuite("buttons.mjs"),
      ...programs.map(runWithoutSuite),
    ]);
    const later = { status: 503, challenge: null, body: { message: "Try again later." } };
    expect(keysOfAmelia).toEqual([later, later]);
    expect([buttons.lines, buttons.code]).toEqual([["amelia N211: -, N950: -", "louis N211: -, N950: -"], 0]);
    expect(buttons.errors.match(/^not decided: /gm)).toHaveLength(4);
    expect(others).toEqual(
      programs.map(() => ({ lines: [], errors: expect.stringContaining("IkgUnreachable"), code: 1 })),
    );
  }, 60_000);

  it("a key that is not valid lets no request pass either", async () => {
    const address = await recipes.serve("express-api.mjs", { ...present, IKG_CLIENT_KEY: "ak1_wrong" });
    expect((await ask(address, keys, await shell.project.signIn("amelia"))).status).toBe(503);
  });
});
