import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { runIkg, silentEnvironment } from "../../test/command-environment.ts";
import { connectionOf } from "./connection.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "ikg-contexts-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const a = "http://a.example";
const b = "http://b.example";

const environmentWith = (variables: Record<string, string> = {}) =>
  silentEnvironment({ cwd: folder, variables: { HOME: folder, ...variables } });
const connect = (options: object = {}, variables: Record<string, string> = {}) =>
  connectionOf(options, environmentWith(variables));
const run = (args: readonly string[], variables: Record<string, string> = {}, input = "") =>
  runIkg(args, {
    cwd: folder,
    variables: { HOME: folder, ...variables },
    readInput: () => Promise.resolve(input),
  });
const file = (): string => join(folder, ".config", "ikg", "contexts.json");

const keep = async (name: string, url: string, ...options: readonly string[]) => {
  writeFileSync(join(folder, "token"), `token-of-${name}\n`);
  const args = ["context", "add", name, "--url", url, "--token-file", "token", "--offline", ...options];
  expect((await run(args)).code).toBe(0);
};

describe("contexts", () => {
  it("are kept in a file that its owner alone can read, and are listed without secrets", async () => {
    await keep("one", a, "--project", "airfield");
    await keep("two", b, "--no-use");
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, ".config", "ikg")).mode & 0o777).toBe(0o700);
    const { output } = await run(["context", "list", "-o", "json"]);
    expect(output).not.toContain("token-of");
    expect(JSON.parse(output)).toMatchObject([
      { name: "one", current: true, url: a, project: "airfield", credentials: "token" },
      { name: "two", current: false, url: b },
    ]);
    expect((await run(["context", "use", "two"])).code).toBe(0);
    expect(connect().url).toBe(b);
    expect((await run(["context", "remove", "two"])).code).toBe(0);
    expect(readFileSync(file(), "utf8")).not.toContain("token-of-two");
  });

  it("are stored without empty variables, which count as absent, also for the place of the file", async () => {
    const places = ["IKG_CONTEXTS", "XDG_CONFIG_HOME", "IKG_ENVIRONMENT", "IKG_HOME"];
    const values = ["IKG_TOKEN", "IKG_CLIENT_KEY", "IKG_PROJECT"];
    const empty = Object.fromEntries([...places, ...values].map((name) => [name, ""]));
    expect((await run(["context", "add", "one", "--url", a, "--offline"], empty)).code).toBe(0);
    expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({
      current: "one",
      contexts: { one: { url: a } },
    });
  });

  it("are not read from a file that others can read", async () => {
    await keep("one", a);
    chmodSync(file(), 0o644);
    expect(() => connect()).toThrow(`chmod 600 ${file()}`);
  });

  it("are not read from a file of another form, whose content is not repeated", () => {
    mkdirSync(join(folder, ".config", "ikg"), { recursive: true });
    writeFileSync(file(), '{"contexts":{"one":{"token":"secret"}}}', { mode: 0o600 });
    expect(() => connect()).toThrow(/is not a valid context file(?!.*secret)/);
  });

  it("take a token from standard input, and none that is not one line", async () => {
    const args = ["context", "add", "one", "--url", a, "--token-file", "-", "--offline"];
    expect((await run(args, {}, " abc \n")).code).toBe(0);
    expect(connect().token).toBe("abc");
    for (const input of ["", "two lines\nof text"]) {
      const { code, errors } = await run(args, {}, input);
      expect([code, errors]).toEqual([2, expect.not.stringContaining("of text")]);
    }
  });
});

describe("a connection", () => {
  const variables = { IKG_URL: b, IKG_TOKEN: "variable", IKG_CLIENT_KEY: "key" };

  it("comes from variables before the current context, and from --context before variables", async () => {
    await keep("one", a);
    expect(connect()).toMatchObject({ name: "one", url: a, token: "token-of-one" });
    expect(connect({}, variables)).toMatchObject({ url: b, token: "variable", clientKey: "key" });
    expect(connect({ context: "one" }, variables)).toMatchObject({ url: a, token: "token-of-one" });
  });

  it("never takes a credential to an address that is not its own", async () => {
    await keep("one", a);
    expect(connect({ url: "http://c.example" })).toMatchObject({ token: undefined, clientKey: undefined });
    expect(connect({ url: "http://c.example" }, variables).token).toBeUndefined();
    expect(connect({ context: "one" }, variables).clientKey).toBeUndefined();
    expect(connect({}, { IKG_URL: b }).token).toBeUndefined();
    const withoutAddress = { IKG_TOKEN: "variable", IKG_CLIENT_KEY: "key" };
    await keep("two", b, "--no-use");
    for (const options of [{ url: "http://c.example" }, { url: b }])
      expect(connect(options, withoutAddress)).toMatchObject({ token: undefined, clientKey: undefined });
    expect(connect({ context: "two" }, withoutAddress)).toMatchObject({
      token: "token-of-two",
      clientKey: undefined,
    });
    expect(connect({}, { ...withoutAddress, IKG_CONTEXT: "two" })).toMatchObject({
      url: b,
      clientKey: "key",
    });
    expect(connect({ url: `${a}/` }).token).toBe("token-of-one");
  });

  it("takes variables without an address to --url where there is no context", () => {
    expect(connect({ url: a }, { IKG_TOKEN: "variable" })).toMatchObject({ url: a, token: "variable" });
  });

  it("completes a context by variables that name no other address", async () => {
    await keep("one", a);
    expect(connect({}, { IKG_CLIENT_KEY: "key", IKG_PROJECT: "p" })).toMatchObject({
      url: a,
      token: "token-of-one",
      clientKey: "key",
      project: "p",
    });
  });

  it("is there at once beside a suite that was started in this folder or above it", () => {
    mkdirSync(join(folder, ".ikg", "demo"), { recursive: true });
    const environment = { base_url: a, organization_id: "gid:o", service_account_token: "t" };
    writeFileSync(join(folder, ".ikg", "environment.json"), JSON.stringify(environment));
    expect(connect()).toEqual({
      name: "local",
      url: a,
      organization: "gid:o",
      token: "t",
      project: undefined,
      clientKey: undefined,
    });
    const demo = { project_id: "gid:p", api_key: "k" };
    writeFileSync(join(folder, ".ikg", "demo", "credential.json"), JSON.stringify(demo));
    mkdirSync(join(folder, "below"));
    const below = silentEnvironment({ cwd: join(folder, "below"), variables: { HOME: folder } });
    expect(connectionOf({}, below)).toMatchObject({ project: "gid:p", clientKey: "k" });
  });
});
