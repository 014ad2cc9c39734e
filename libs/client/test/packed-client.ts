/** The package as users get it: built, packed, and installed in an empty project. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../build.ts";

export interface PackedClient {
  /** The built files. */
  readonly built: string;
  readonly tarball: string;
  /** Where the tarball is installed, and nothing else. */
  readonly project: string;
  remove(): void;
}

export const runProgram = (program: string, args: readonly string[], cwd: string): string =>
  execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

export const packClient = (): PackedClient => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-client-"));
  const [built, project] = [join(folder, "built"), join(folder, "project")];
  build(built);
  const [packed = ""] = runProgram("npm", ["pack", built, "--silent"], folder).trim().split("\n").slice(-1);
  const tarball = join(folder, packed);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "empty", type: "module" }));
  runProgram("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", tarball], project);
  return { built, tarball, project, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

/** A program that asks a server of its own, and prints `smokeOutput`. */
const smoke = `
  import { createServer } from "node:http";
  import { Ikg, IkgAdmin, IkgError } from "@ikg/client";
  import { authorize } from "@ikg/client/express";
  import { createTestProject } from "@ikg/client/testing";
  const server = createServer((request, response) => {
    const found = request.url === "/access/v1/evaluation";
    response.writeHead(found ? 200 : 404, { "Content-Type": "application/json" });
    response.end(found ? '{"decision":true}' : '{"message":"Not Found"}');
  }).listen(0, async () => {
    const baseUrl = "http://127.0.0.1:" + server.address().port;
    const ann = new Ikg({ baseUrl, clientKey: "k" }).as({ type: "Person", id: "ann" });
    const error = await new IkgAdmin({ baseUrl, token: "t" }).organization().catch((error) => error);
    const granted = await ann.can("READ", { type: "Document", id: "d" });
    console.log(granted, error instanceof IkgError, error.code, typeof authorize, typeof createTestProject);
    server.close();
    server.closeAllConnections();
  });
`;

export const smokeOutput = "true true not_found function function";

/** @returns the file in the project. */
export const writeSmokeProgram = ({ project }: PackedClient): string => {
  const file = join(project, "app.mjs");
  writeFileSync(file, smoke);
  return file;
};
