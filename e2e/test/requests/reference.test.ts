import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Example, examples, organizationId } from "../../../stack/src/documentation/openapi/examples.ts";
import { environment } from "../../src/environment.ts";
import { freshName } from "../../src/fresh-name.ts";
import { configs } from "../../src/requests/configs.ts";
import { type Answer, send } from "../../src/requests/send.ts";
import { takeEffect } from "../../src/take-effect.ts";

/** /openapi.json and /docs as the gateway has them, and the examples of the document played in their order. */
interface Described {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
}
interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

/** What the gateway serves, with its own address. */
const file = new URL("../../../services/gateway/src/reference/openapi.json", import.meta.url);

let document: Document;
/** gids of the examples, and what they are here. */
const here = new Map<string, string>();
let key = "";
/** Whether records were created that the services of the data plane may not have followed yet. */
let hasCreated = false;
/** Names of projects are taken once for all. */
const project = freshName("airfield");

beforeAll(async () => {
  const answer = await send("/openapi.json");
  document = answer.body as Document; // judged by the first test
  here.set(organizationId, environment().organization_id);
});
afterAll(async () => {
  const { body } = await configs(
    `/projects?organization_id=${environment().organization_id}&search=${project}`,
  );
  for (const { id } of (body as { data?: { id: string }[] }).data ?? [])
    await configs(`/projects/${id}`, { method: "DELETE" });
});

describe("the document", () => {
  it("is OpenAPI 3.1, and names the address under which it was asked for", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.servers).toEqual([{ url: environment().base_url }]);
  });

  it("is that of the repository, which its unit test validates", () => {
    const stored = JSON.parse(readFileSync(file, "utf8")) as Document; // generated
    expect(document).toEqual({ ...stored, servers: document.servers });
  });

  it("needs no credential and takes GET and HEAD alone", async () => {
    const posted = await send("/openapi.json", { json: {} });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await send("/openapi.json", { method: "HEAD" })).status).toBe(200);
  });
});

describe("/docs", () => {
  const files = ["/docs", "/docs/start.js", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js"];

  it.each(files)("%s comes from the gateway, under a policy that lets it load nothing else", async (path) => {
    const { status, headers, text } = await send(path);
    expect(status).toBe(200);
    expect(text.length).toBeGreaterThan(100);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("is sent again only after it has changed, and compressed to who accepts that", async () => {
    const path = "/docs/swagger-ui-bundle.js";
    const plain = await send(path, { headers: { "accept-encoding": "identity" } });
    const compressed = await send(path, { headers: { "accept-encoding": "gzip" } });
    expect([plain, compressed].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, "gzip"]);
    expect(compressed.headers.get("etag")).not.toBe(plain.headers.get("etag"));
    for (const { headers } of [plain, compressed]) {
      const known = {
        "accept-encoding": headers.get("content-encoding") ?? "identity",
        "if-none-match": headers.get("etag") ?? "",
      };
      expect(await send(path, { headers: known })).toMatchObject({ status: 304, text: "" });
    }
  });

  it("names no other address, and nothing inline that the policy would refuse", async () => {
    const { text } = await send("/docs");
    expect(text).not.toMatch(/https?:\/\//);
    const wanted = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, at]) => `/${at}`);
    expect(wanted.toSorted()).toEqual(files.filter((file) => file !== "/docs").toSorted());
    expect(text).not.toMatch(/<script>|<style>| on\w+=/);
  });

  it("has no other files", async () => {
    expect((await send("/docs/../package.json")).status).toBe(404);
    expect((await send("/docs/swagger-ui-bundle.js.map")).status).toBe(404);
  });
});

const localized = (value: unknown): unknown => {
  let text = JSON.stringify(value).replaceAll('"airfield"', JSON.stringify(project));
  for (const [example, own] of here) text = text.replaceAll(example, own);
  return JSON.parse(text);
};

/** Learns which gid stands for that of the example. */
const learn = (example: unknown, own: unknown): void => {
  if (typeof example === "string" && example.startsWith("gid:") && typeof own === "string") {
    if (!here.has(example)) here.set(example, own);
  } else if (typeof example === "object" && example !== null && typeof own === "object" && own !== null)
    for (const [name, value] of Object.entries(example)) learn(value, Reflect.get(own, name));
};

const operationOf = (id: string) => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, described] of Object.entries(methods))
      if (described.operationId === id) return { path, method, described };
  throw new Error(`no operation ${id}`);
};

const play = async ({ operation, path: values = {}, query = {}, request }: Example): Promise<Answer> => {
  const { path, method, described } = operationOf(operation);
  const isOfDataPlane = described.security.some((scheme) => "clientKey" in scheme);
  if (isOfDataPlane && hasCreated) await takeEffect();
  hasCreated = operation.startsWith("create_") || (hasCreated && !isOfDataPlane);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(localized(values[name]))),
  );
  const parameters = new URLSearchParams(localized(query) as Record<string, string>); // strings stay strings
  const headers = isOfDataPlane
    ? { "X-SVC-ClientKey": key }
    : { Authorization: `Bearer ${environment().service_account_token}` };
  return send(`${filled}${parameters.size === 0 ? "" : `?${parameters.toString()}`}`, {
    method: method.toUpperCase(),
    headers,
    ...(request === undefined ? {} : { json: localized(request) }),
  });
};

/** As simulations answer; `before` where there was time to count how much is granted in all. */
interface SimulationBody {
  readonly complete: boolean;
  readonly questions: readonly { readonly before?: unknown }[];
}

/** A simulation that had too little time, because the machine is busy, is asked for anew. */
const playWhole = async (example: Example): Promise<Answer> => {
  for (let attempt = 1; ; attempt++) {
    const answer = await play(example);
    if (example.operation !== "simulate" || attempt === 5) return answer;
    const { complete, questions } = answer.body as SimulationBody;
    if (complete && questions.every(({ before }) => before !== undefined)) return answer;
  }
};

describe("the examples", () => {
  // One story: each continues from the one before.
  it.each(examples.map((example) => [example.operation, example.name, example] as const))(
    "%s: %s",
    async (_operation, _name, example) => {
      const { status, body } = await playWhole(example);
      expect([status, body]).toEqual([expect.any(Number), expect.anything()]);
      expect(status).toBeLessThan(300);
      learn(example.response, body);
      const { [example.varying ?? ""]: _varying, ...expected } = localized(example.response) as Record<
        string,
        unknown
      >; // answers are objects
      expect(body).toMatchObject(expected);
      if (example.operation === "create_application_agent_credential")
        key = (body as { application_agent_config: { token: string } }).application_agent_config.token;
    },
  );
});
