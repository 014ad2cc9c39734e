import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { Validator } from "@seriousme/openapi-schema-validator";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { operations } from "@ikg/contracts";
import { inRepository } from "../../repository.ts";
import { examples } from "./examples.ts";
import { openApi } from "./openapi.ts";

const file = inRepository("services", "gateway", "src", "reference", "openapi.json");

interface Content {
  readonly content: {
    readonly "application/json": {
      readonly schema: { readonly properties: Readonly<Record<string, unknown>> };
    };
  };
}
interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly security: unknown;
            readonly parameters?: readonly { readonly name: string; readonly in: string }[];
            readonly requestBody: Content;
            readonly responses: Readonly<Record<string, Content>>;
          }
        >
      >
    >
  >;
}

describe("the OpenAPI document", () => {
  it("is as the contract is (npm run generate writes it anew)", () => {
    const text = `${JSON.stringify(openApi(), null, 2)}\n`;
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, text);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("has the license of the repository", () => {
    const [title = "", version = ""] = readFileSync(inRepository("LICENSE"), "utf8")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    const identifier = `${title.replace(" License", "")}-${/^Version (\d+\.\d+)/.exec(version)?.[1] ?? ""}`;
    expect(openApi()["info"]).toMatchObject({ license: { name: identifier, identifier } });
  });

  it("is one", async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(openApi())));
    expect(result).toMatchObject({ valid: true });
  });

  it("is as the rules of Redocly want it", async () => {
    const config = await createConfig({
      extends: ["recommended"],
      rules: { "no-server-example.com": "off" },
    });
    const problems = await lintFromString({
      source: JSON.stringify(openApi()),
      absoluteRef: file,
      config,
    });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  it("has examples of operations that there are", () => {
    const known = new Set(operations.map(({ operation }) => operation));
    expect(examples.filter(({ operation }) => !known.has(operation))).toEqual([]);
  });

  it("names every endpoint, each once", () => {
    const paths = openApi()["paths"] as Record<string, Record<string, { operationId: string }>>; // made above
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((each) => each.operationId),
    );
    expect(ids).toHaveLength(operations.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("says what an end user's token is needed for, and which optional field may be null", () => {
    const { paths } = JSON.parse(readFileSync(file, "utf8")) as Document; // as the contract is, by the first test
    expect(paths["/ciq/v1/whoami"]?.["get"]?.security).toEqual([{ clientKey: [], userToken: [] }]);
    const agent = paths["/configs/v1/application-agents/{id}"]?.["put"]?.requestBody;
    expect(agent?.content["application/json"].schema.properties["api_permissions"]).toMatchObject({
      anyOf: [{ type: "array" }, { type: "null" }],
    });
  });

  it("names If-Match for every PUT, DELETE and rollback of a record, and `etag` where a DELETE takes it", () => {
    const { paths } = JSON.parse(JSON.stringify(openApi())) as Document; // made above
    const named = (method: string, name: string, place: string): readonly string[] =>
      Object.entries(paths).flatMap(([path, methods]) =>
        methods[method]?.parameters?.some((each) => each.name === name && each.in === place) === true
          ? [path]
          : [],
      );
    const ofRecords = (method: string, operation: RegExp): readonly string[] =>
      operations
        .filter((each) => each.method === method && operation.test(each.operation))
        .map(({ path }) => path.replace(":id", "{id}"));
    for (const [method, operation] of [
      ["put", /^update_/],
      ["delete", /^delete_/],
      ["post", /^rollback_/],
    ] as const) {
      expect(ofRecords(method, operation)).not.toEqual([]);
      expect(named(method, "If-Match", "header").toSorted()).toEqual(ofRecords(method, operation).toSorted());
    }
    expect(named("delete", "etag", "query")).toEqual(["/configs/v1/mcp-servers/{id}"]);
  });

  it("has both media types of a simulation", () => {
    const { paths } = JSON.parse(JSON.stringify(openApi())) as Document; // made above
    const content = paths["/access/v1/simulations"]?.["post"]?.responses["200"]?.content;
    expect(Object.keys(content ?? {})).toEqual(["application/json", "application/x-ndjson"]);
  });

  it.each(["authorization-policies", "knowledge-queries"])(
    "says of what one is warned who saves %s",
    (name) => {
      const { paths } = JSON.parse(readFileSync(file, "utf8")) as Document; // as above
      for (const [path, method, status] of [
        [`/configs/v1/${name}`, "post", "201"],
        [`/configs/v1/${name}/{id}`, "put", "200"],
      ] as const)
        expect(
          paths[path]?.[method]?.responses[status]?.content["application/json"].schema.properties,
        ).toMatchObject({ warnings: { type: "array" } });
    },
  );
});
