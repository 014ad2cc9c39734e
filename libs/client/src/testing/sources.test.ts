import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { readGraph, readPolicies, readQueries } from "./sources.ts";
import { suiteAddress } from "./suite-address.ts";

const folder = mkdtempSync(join(tmpdir(), "ikg-client-testing-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: unknown): string => {
  const file = join(folder, name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
};

describe("sources of a test project", () => {
  it("are files and values, joined", async () => {
    const ann = { type: "Person", external_id: "ann" };
    const bob = { type: "Person", external_id: "bob" };
    const knows = { source: ann, type: "KNOWS", target: bob };
    const file = write("graph.json", { nodes: [ann] });
    expect(await readGraph([file, { nodes: [bob], relationships: [knows] }])).toEqual({
      nodes: [ann, bob],
      relationships: [knows],
    });
    expect(await readGraph(file)).toEqual({ nodes: [ann], relationships: [] });
  });

  it("are the JSON files of a folder, by their names", async () => {
    write("b-rule.json", { meta: { b: 1 } });
    write("a-rule.json", { meta: { a: 1 } });
    write("notes.md", "no policy");
    const names = (await readPolicies(folder)).map(({ name }) => name);
    expect(names.filter((name) => name.endsWith("-rule"))).toEqual(["a-rule", "b-rule"]);
    expect(names).not.toContain("notes");
    const [change] = await readPolicies({ "my-rule": join(folder, "b-rule.json") });
    expect(change).toEqual({
      op: "put",
      collection: "authorization-policies",
      name: "my-rule",
      record: { policy: { meta: { b: 1 } }, status: "ACTIVE" },
    });
    const [query] = await readQueries({ q: { policy: "p", query: { nodes: [] } } });
    expect(query).toMatchObject({ name: "q", record: { policy: "p", query: { nodes: [] } } });
  });

  it("name a file that is not JSON", async () => {
    const file = write("wrong.txt", "{");
    await expect(readGraph(file)).rejects.toThrow(`${file} is not JSON`);
  });
});

describe("where the suite is", () => {
  const file = write("environment.json", { base_url: "http://started", service_account_token: "of-file" });

  it("is said by options, then variables, then the file of a started suite", async () => {
    const env = { IKG_URL: "http://variable", IKG_TOKEN: "of-variable", IKG_ENVIRONMENT: file };
    expect(await suiteAddress({ baseUrl: "http://given" }, env)).toEqual({
      baseUrl: "http://given",
      token: "of-variable",
    });
    expect(await suiteAddress({}, { IKG_ENVIRONMENT: file })).toEqual({
      baseUrl: "http://started",
      token: "of-file",
    });
  });

  it("has to be said", async () => {
    const missing = join(folder, "missing.json");
    await expect(suiteAddress({}, { IKG_ENVIRONMENT: missing })).rejects.toThrow("set IKG_URL and IKG_TOKEN");
  });

  it("has the token of the file for its own address alone", async () => {
    const env = { IKG_ENVIRONMENT: file };
    expect(await suiteAddress({ baseUrl: "http://started/" }, env)).toEqual({
      baseUrl: "http://started/",
      token: "of-file",
    });
    await expect(suiteAddress({ baseUrl: "http://other" }, env)).rejects.toThrow("no token for http://other");
    await expect(suiteAddress({}, { ...env, IKG_URL: "http://other" })).rejects.toThrow("no token");
  });

  it("is not said by empty variables", async () => {
    const env = { IKG_URL: "", IKG_TOKEN: "", IKG_SERVICE_ACCOUNT_TOKEN: "", IKG_ENVIRONMENT: file };
    expect(await suiteAddress({}, env)).toEqual({ baseUrl: "http://started", token: "of-file" });
  });

  it("is not taken from a file that is not JSON, which is named where it is needed", async () => {
    const env = { IKG_ENVIRONMENT: write("broken.txt", "{") };
    await expect(suiteAddress({}, env)).rejects.toThrow(`${env.IKG_ENVIRONMENT} is not JSON`);
    const given = { baseUrl: "http://given", token: "given" };
    expect(await suiteAddress(given, env)).toEqual(given);
  });
});
