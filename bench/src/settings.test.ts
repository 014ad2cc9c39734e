import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { readTarget } from "./settings.ts";

const folder = mkdtempSync(join(tmpdir(), "ikg-bench-"));
const file = join(folder, "environment.json");
const key = Buffer.alloc(32, 7).toString("base64");

const environment = {
  base_url: "http://127.0.0.1:8080",
  organization_id: "gid:org",
  service_account_token: "sa1",
  neo4j_uri: "bolt://127.0.0.1:7687",
  neo4j_username: "neo4j",
  neo4j_password: "secret",
  redis_url: "redis://127.0.0.1:6379",
};

const write = (content: object): void => writeFileSync(file, JSON.stringify(content));

afterAll(() => rmSync(folder, { recursive: true }));

describe("readTarget", () => {
  it("takes what the suite's files say", () => {
    write({ ...environment, services: { access: "http://127.0.0.1:1" } });
    writeFileSync(
      join(folder, "secrets.json"),
      JSON.stringify({
        gateway_signing_key: key,
        token_sealing_key: key,
        credential_pepper: key,
        config_encryption_key: key,
      }),
    );
    expect(readTarget({ IKG_ENVIRONMENT: file })).toMatchObject({
      gateway: "http://127.0.0.1:8080",
      access: "http://127.0.0.1:1",
      gatewaySigningKey: key,
      tokenSealingKey: key,
      credentialPepper: key,
      configEncryptionKey: key,
    });
  });

  it("prefers the variables", () => {
    write({ ...environment, services: { access: "http://127.0.0.1:1" } });
    const variables = {
      IKG_ENVIRONMENT: file,
      UPSTREAM_ACCESS: "http://127.0.0.1:2",
      GATEWAY_SIGNING_KEY: key,
      TOKEN_SEALING_KEY: key,
      CREDENTIAL_PEPPER: key,
    };
    expect(readTarget(variables).access).toBe("http://127.0.0.1:2");
  });

  it("names what is missing", () => {
    expect(() => readTarget({ IKG_ENVIRONMENT: join(folder, "none.json") })).toThrow("No suite runs");
    write(environment);
    expect(() => readTarget({ IKG_ENVIRONMENT: file })).toThrow("UPSTREAM_ACCESS");
    write({ ...environment, neo4j_uri: undefined });
    const variables = {
      IKG_ENVIRONMENT: file,
      UPSTREAM_ACCESS: "http://127.0.0.1:2",
      GATEWAY_SIGNING_KEY: key,
      TOKEN_SEALING_KEY: key,
      CREDENTIAL_PEPPER: key,
    };
    expect(() => readTarget(variables)).toThrow("neo4j_uri");
  });
});
