import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { silentEnvironment } from "../../../test/command-environment.ts";
import { addressOf } from "./address.ts";

const cwd = mkdtempSync(join(tmpdir(), "ikg-address-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
writeFileSync(
  join(cwd, "environment.json"),
  JSON.stringify({ base_url: "http://a.example", organization_id: "gid:o", service_account_token: "t" }),
);
const environmentWith = (variables: Record<string, string>) => silentEnvironment({ variables, cwd });

describe("the address of a suite", () => {
  it("comes from environment.json", () =>
    expect(addressOf({ environment: "environment.json" }, environmentWith({}))).toEqual({
      url: "http://a.example",
      token: "t",
      organization: "gid:o",
    }));

  it("comes from options before variables, and their token is never sent to another suite", () => {
    const variables = { IKG_ENVIRONMENT: "environment.json", IKG_URL: "http://b.example" };
    expect(() => addressOf({}, environmentWith(variables))).toThrow("IKG_SERVICE_ACCOUNT_TOKEN");
    expect(
      addressOf(
        { url: "http://c.example" },
        environmentWith({ ...variables, IKG_SERVICE_ACCOUNT_TOKEN: "u" }),
      ),
    ).toEqual({ url: "http://c.example", token: "u", organization: undefined });
  });

  it.each(["{}", '{"base_url": "none"}', "{"])(
    "needs no valid environment.json where an option or a variable states it: %s",
    (text) => {
      writeFileSync(join(cwd, "invalid.json"), text);
      const variables = { IKG_ENVIRONMENT: "invalid.json", IKG_SERVICE_ACCOUNT_TOKEN: "u" };
      const expected = { url: "http://b.example", token: "u", organization: undefined };
      expect(addressOf({ url: "http://b.example" }, environmentWith(variables))).toEqual(expected);
      expect(addressOf({}, environmentWith({ ...variables, IKG_URL: "http://b.example" }))).toEqual(expected);
      expect(() => addressOf({}, environmentWith(variables))).toThrow("not a valid environment.json");
    },
  );

  it("has the token of the other commands, which goes to its own address alone", () => {
    const variables = { IKG_URL: "http://b.example", IKG_TOKEN: "u" };
    expect(addressOf({}, environmentWith(variables))).toEqual({
      url: "http://b.example",
      token: "u",
      organization: undefined,
    });
    expect(() => addressOf({ url: "http://c.example" }, environmentWith(variables))).toThrow("set IKG_TOKEN");
  });

  it("comes from the context that is named, or from the current one where nothing else says it", () => {
    const file = join(cwd, "contexts.json");
    const contexts = {
      near: { url: "http://near.example", token: "n" },
      far: { url: "http://far.example", token: "f" },
    };
    writeFileSync(file, JSON.stringify({ current: "near", contexts }), { mode: 0o600 });
    const variables = { IKG_CONTEXTS: file };
    expect(addressOf({}, environmentWith(variables))).toMatchObject({
      url: "http://near.example",
      token: "n",
    });
    expect(addressOf({ context: "far" }, environmentWith(variables))).toMatchObject({
      url: "http://far.example",
      token: "f",
    });
    const other = { ...variables, IKG_URL: "http://b.example", IKG_TOKEN: "u" };
    expect(addressOf({}, environmentWith(other))).toMatchObject({ url: "http://b.example", token: "u" });
    expect(addressOf({}, environmentWith({ ...variables, IKG_ENVIRONMENT: "environment.json" })).token).toBe(
      "t",
    );
  });

  it("is asked for where nothing says it", () => {
    expect(() => addressOf({}, environmentWith({}))).toThrow("--url");
    expect(() => addressOf({ environment: "none.json" }, environmentWith({}))).toThrow(
      "none.json does not exist",
    );
  });
});
