import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "@jest/globals";
import { startPrivateIssuer } from "./private-issuer.ts";

it("an issuer of a private authority is reached by clients that trust the authority, and by no others", async () => {
  const issuer = await startPrivateIssuer("127.0.0.1");
  try {
    const ask = async (variables: NodeJS.ProcessEnv): Promise<string> => {
      const program = `fetch("${issuer.issuer}/keys").then((a) => console.log(a.status), (e) => console.log(e.cause.code))`;
      const env = { ...process.env, NODE_OPTIONS: "", ...variables };
      return (await promisify(execFile)(process.execPath, ["--eval", program], { env })).stdout.trim();
    };
    expect(await ask({ NODE_EXTRA_CA_CERTS: "" })).toMatch(/CERT|VERIFY|SIGNATURE/);
    expect(issuer.requests()).toBe(0);
    expect(await ask({ NODE_EXTRA_CA_CERTS: issuer.authority })).toBe("200");
    expect(issuer.requests()).toBe(1);
  } finally {
    await issuer.close();
  }
}, 60_000);
