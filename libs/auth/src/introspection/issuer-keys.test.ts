import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { type Egress, EgressError } from "@ikg/egress";
import { discoveryOf } from "./discovery.ts";
import { issuerKeys } from "./issuer-keys.ts";
import type { KeyFinder } from "./keys.ts";

const issuer = "https://idp.example.com";
const jwk = (kid: string) => ({
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" }),
  kid,
});

let now: number;
let urls: string[];
let documents: Map<string, Record<string, unknown>>;
let find: (kid: string) => Promise<unknown>;

beforeEach(() => {
  now = 1_800_000_000_000;
  urls = [];
  documents = new Map<string, Record<string, unknown>>([
    [`${issuer}/.well-known/openid-configuration`, { issuer, jwks_uri: "https://keys.example.net/jwks" }],
    ["https://keys.example.net/jwks", { keys: [jwk("one")] }],
  ]);
  const egress: Egress = {
    rules: { allowHttp: false, allowHosts: [], allowCidrs: [] },
    getJson: (url) => {
      urls.push(url);
      const document = documents.get(url);
      return document === undefined
        ? Promise.reject(new EgressError("upstream_unreachable"))
        : Promise.resolve(document);
    },
    request: () => Promise.reject(new Error("not used")),
    close: () => Promise.resolve(),
  };
  const clock = () => now;
  const keys: KeyFinder = issuerKeys(discoveryOf(issuer, egress, clock), egress, clock);
  find = (kid) => Promise.resolve(keys({ alg: "ES256", kid }, { payload: "", signature: "" }));
});

const unavailable = { code: "unavailable", status: 503, headers: { "Retry-After": "5" } };

describe("keys of an issuer", () => {
  it("are found by its discovery document and kept for 10 minutes", async () => {
    await Promise.all([find("one"), find("one")]);
    expect(urls).toEqual([`${issuer}/.well-known/openid-configuration`, "https://keys.example.net/jwks"]);
    now += 600_000;
    await find("one");
    expect(urls.length).toBe(2);
    now += 1;
    await find("one");
    expect(urls.slice(2)).toEqual(["https://keys.example.net/jwks"]);
  });

  it("are fetched once in 30 s for an unknown kid", async () => {
    await find("one");
    documents.set("https://keys.example.net/jwks", { keys: [jwk("two")] });
    await expect(find("two")).rejects.toMatchObject({ code: "ERR_JWKS_NO_MATCHING_KEY" });
    now += 30_000;
    await expect(find("two")).resolves.toBeDefined();
    await expect(find("one")).rejects.toMatchObject({ code: "ERR_JWKS_NO_MATCHING_KEY" });
  });

  it("of a day ago serve while the issuer is unavailable; an unknown kid is not verified", async () => {
    await find("one");
    documents.clear();
    now += 3_600_001;
    await expect(find("one")).resolves.toBeDefined();
    await expect(find("two")).rejects.toMatchObject(unavailable);
    now += 86_400_000;
    await expect(find("one")).rejects.toMatchObject(unavailable);
  });

  it("come from the address in the discovery document while the document is unavailable", async () => {
    await find("one");
    now += 3_600_001;
    documents.delete(`${issuer}/.well-known/openid-configuration`);
    documents.set("https://keys.example.net/jwks", { keys: [jwk("two")] });
    await expect(find("two")).resolves.toBeDefined();
    await expect(find("one")).rejects.toMatchObject({ code: "ERR_JWKS_NO_MATCHING_KEY" });
  });

  it.each([
    ["unreachable", {}],
    ["of another issuer", { issuer: `${issuer}/`, jwks_uri: "https://keys.example.net/jwks" }],
    ["pointing to http", { issuer, jwks_uri: "http://keys.example.net/jwks" }],
    ["without keys", { issuer }],
  ])("cannot be had from a document that is %s", async (_name, document) => {
    documents.set(`${issuer}/.well-known/openid-configuration`, document);
    await expect(find("one")).rejects.toMatchObject(unavailable);
  });
});
