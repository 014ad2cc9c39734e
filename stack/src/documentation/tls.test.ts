import { X509Certificate } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { openTlsFiles } from "../../../libs/tls/src/index.ts";
import { runDocumentedCommands } from "../testing/suites/documented-commands.ts";

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** @returns the path of a file that the commands have made */
const run = async (name: string): Promise<(...path: readonly string[]) => string> => {
  const folder = await runDocumentedCommands(name);
  folders.push(folder);
  return (...path) => join(folder, ...path);
};

const certificateIn = (file: string): X509Certificate => new X509Certificate(readFileSync(file));

describe("the commands of operations.md", () => {
  it("make an authority, and a certificate of each service for its name", async () => {
    const file = await run("certificates of services");
    const authority = certificateIn(file("ca.crt"));
    for (const name of ["gateway", "configs", "capture", "access", "ciq", "mcp", "audit"]) {
      const named = (path: string) => ({ setting: path, path: file(name, path) });
      const files = await openTlsFiles({
        paths: { certificate: named("tls.crt"), key: named("tls.key"), ca: named("ca.crt") },
        onFault: () => undefined,
      });
      files.close();
      const own = certificateIn(file(name, "tls.crt"));
      expect([own.checkHost(name), own.verify(authority.publicKey)]).toEqual([name, true]);
    }
  });

  it("make an authority, and certificates of the stores", async () => {
    const file = await run("certificates of stores");
    const authority = certificateIn(file("stores-ca.crt"));
    for (const name of ["neo4j", "redis"]) {
      const own = certificateIn(file(`${name}.crt`));
      expect([own.checkHost(name), own.verify(authority.publicKey)]).toEqual([name, true]);
    }
  });
});
