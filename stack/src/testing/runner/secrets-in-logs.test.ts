import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { none, one } from "./counts.ts";
import { checkLogs, neverLogged, secretsIn } from "./secrets-in-logs.ts";

const known = {
  neo4j_password: "a password",
  redis_password: "another one",
  config_encryption_key: "c2VhbA==",
  credential_pepper: "cGVwcGVy",
  token_sealing_key: "dG9rZW5z",
  gateway_signing_key: "c2lnbg==",
  mcp_signing_key: "bWNw",
};
const key = `ak1_k7f3q2m9x1c8v5b4_${"A".repeat(43)}_e8101c52`;

describe("secrets in logs", () => {
  it.each([
    [`{"msg":"refused","key":"${key}"}`, "an API key or a service-account token"],
    [`sa1_k7f3q2m9x1c8v5b4_${"_".repeat(43)}`, "an API key or a service-account token"],
    ["token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln", "a JWT"],
    ["authorization: Bearer 0123456789abcdef", "a bearer token"],
    ["bolt://neo4j:a password@127.0.0.1", "neo4j_password"],
    [`header ${neverLogged}1`, "a value that a test marked as secret"],
  ])("are found in %s", (line, what) => {
    expect(secretsIn(`first\n${line}\nlast`, known)).toEqual([{ line: 2, what }]);
  });

  it("are not seen in what may be logged", () => {
    const lines = [
      '{"kid":"k7f3q2m9x1c8v5b4","token":"0f3a9c1d2e4b5a69"}',
      'www-authenticate Bearer error="invalid_token"',
      "",
    ];
    expect(secretsIn(lines.join("\n"), known)).toEqual([]);
  });

  it("fail the run, in any file of the folder", () => {
    const logs = mkdtempSync(join(tmpdir(), "ikg-logs-"));
    expect(checkLogs({ logs }, known)).toEqual(none);
    mkdirSync(join(logs, "neo4j"));
    writeFileSync(join(logs, "neo4j", "debug.log"), "all is well\n");
    expect(checkLogs({ logs }, known)).toEqual(one(true));
    writeFileSync(join(logs, "gateway.log"), `x\n${key}\n`);
    expect(checkLogs({ logs }, known)).toEqual(one(false));
    rmSync(logs, { recursive: true });
  });
});
