import { execFileSync, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { services } from "../services/service-names.ts";
import { inRepository, repository } from "../repository.ts";

const version = "99.1.0";
const changelog = `# Changelog\n\n## [Unreleased]\n\n## [${version}] - 2026-11-25\n\n### Added\n\n- A change.\n`;

let folder: string;
let clone: string;
let key: string;

const git = (...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: clone, encoding: "utf8", maxBuffer: 100_000_000 }).trim();

/** Runs npm run release in the clone. */
const release = (...args: readonly string[]): { readonly code: number | null; readonly output: string } => {
  const { status, stdout, stderr } = spawnSync("node", ["stack/launch.mjs", "release", version, ...args], {
    cwd: clone,
    encoding: "utf8",
  });
  return { code: status, output: stdout + stderr };
};
const skipped = ["tests", "images", "data-set"].flatMap((part) => [`--skip-${part}`, "tried on a clone"]);
const commit = (): string => git("commit", "--quiet", "--all", "--message", "Changelog");
const inRelease = (...names: readonly string[]): string => join(clone, "dist", version, ...names);
const unpacked = (archive: string, file: string): string =>
  execFileSync("tar", ["-xzOf", inRelease(archive), file], { encoding: "utf8" });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ikg-release-clone-"));
  clone = join(folder, "clone");
  execFileSync("git", ["clone", "--quiet", "--no-tags", repository, clone]);
  git("config", "user.name", "Release");
  git("config", "user.email", "release@example.com");
  // What is not committed here is tried as well.
  const changes = execFileSync("git", ["diff", "--binary", "HEAD"], {
    cwd: repository,
    maxBuffer: 100_000_000,
  });
  if (changes.length > 0) execFileSync("git", ["apply"], { cwd: clone, input: changes });
  mkdirSync(join(clone, ".tools"));
  symlinkSync(inRepository(".tools", "node_modules"), join(clone, ".tools", "node_modules"));
  key = join(folder, "release.key");
  writeFileSync(key, generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("npm run release", () => {
  it("refuses changes of the tree, a changelog without the section, and a commit that no long run has passed", () => {
    writeFileSync(join(clone, "CHANGELOG.md"), changelog.replace(version, "99.0.0"));
    expect(release("--dry-run")).toEqual({
      code: 1,
      output: expect.stringContaining("The working tree has uncommitted changes"),
    });
    commit();
    expect(release("--dry-run").output).toContain(
      `CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD"`,
    );
    writeFileSync(join(clone, "CHANGELOG.md"), changelog);
    commit();
    expect(release("--dry-run").output).toContain("A release needs npm run test:long to pass on its commit");
  }, 600_000);

  it("says in a dry run what it would do, and writes nothing", () => {
    const { code, output } = release("--dry-run", ...skipped);
    expect(output).toContain(`Without images: tried on a clone`);
    expect(output).toContain(`libs/client/package.json: version ${version}`);
    expect(code).toBe(0);
    expect([git("status", "--porcelain"), git("tag")]).toEqual(["", ""]);
  }, 120_000);

  it("makes no tag where a file changes meanwhile, and begins again as docs/releasing.md says", () => {
    const hooks = join(folder, "hooks");
    mkdirSync(hooks);
    writeFileSync(join(hooks, "post-commit"), "#!/bin/sh\ntouch changed-meanwhile\n", { mode: 0o755 });
    git("config", "core.hooksPath", hooks);
    const { code, output } = release("--key", key, ...skipped);
    expect([code, output]).toEqual([1, expect.stringContaining("changed while the release of")]);
    expect([git("tag"), git("log", "-1", "--format=%s")]).toEqual(["", `Release ${version}`]);
    git("config", "--unset", "core.hooksPath");
    rmSync(join(clone, "changed-meanwhile"));
    git("reset", "--keep", "HEAD~1");
    expect([git("status", "--porcelain"), git("log", "-1", "--format=%s")]).toEqual(["", "Changelog"]);
  }, 900_000);

  it("makes a commit, a tag, and a folder that is complete and signed", () => {
    const { code, output } = release("--key", key, "--registry", "r.example/ikg", ...skipped);
    expect([code, output]).toEqual([0, expect.stringContaining(`dist/${version} is complete`)]);
    expect([git("status", "--porcelain"), git("describe"), git("log", "-1", "--format=%s")]).toEqual([
      "",
      `v${version}`,
      `Release ${version}`,
    ]);
    expect(readFileSync(inRelease("NOTES.md"), "utf8")).toBe(
      `# IKG ${version}\n\n### Added\n\n- A change.\n`,
    );
    expect(JSON.parse(readFileSync(inRelease("release.json"), "utf8"))).toMatchObject({
      version,
      commit: git("rev-parse", "HEAD"),
      tests: { skipped: "tried on a clone" },
    });
    const page = readFileSync(inRepository("docs", "releasing.md"), "utf8");
    const [, verify = ""] = /^## Verify\n[\s\S]*?```sh\n([\s\S]*?)```/m.exec(page) ?? [];
    const command = verify.replace("/path/to/trusted/release.pub", "release.pub");
    const verified = execFileSync("sh", ["-ec", command], { cwd: inRelease(), encoding: "utf8" });
    for (const file of [
      "release.json",
      `ikg-kubernetes-${version}.tar.gz`,
      `ikg-compose-${version}.tar.gz`,
      `docs-${version}.tar.gz`,
      `packages/ikg-cli-${version}.tgz`,
    ])
      expect(verified).toContain(`${file}: OK`);
  }, 900_000);

  it("packs the client and the command line with the version", () => {
    expect(readdirSync(inRelease("packages")).toSorted()).toEqual([
      `ikg-cli-${version}.tgz`,
      `ikg-client-${version}.tgz`,
    ]);
    for (const name of ["cli", "client"])
      expect(
        JSON.parse(unpacked(`packages/ikg-${name}-${version}.tgz`, "package/package.json")),
      ).toMatchObject({ name: `@ikg/${name}`, version });
  });

  it("lists the locked packages of every image and package in CycloneDX", () => {
    const names = ["ikg", ...services, "client", "cli"].map((name) => `${name}.cdx.json`);
    expect(readdirSync(inRelease("sbom")).toSorted()).toEqual(names.toSorted());
    const purls = (file: string): readonly string[] => {
      const bill = JSON.parse(readFileSync(inRelease("sbom", file), "utf8")) as {
        readonly bomFormat: string;
        readonly components: readonly { readonly purl?: string }[];
      };
      expect(bill.bomFormat).toBe("CycloneDX");
      return bill.components.map(({ purl = "" }) => purl);
    };
    const lock = parse(readFileSync(join(clone, "pnpm-lock.yaml"), "utf8")) as {
      readonly packages: Readonly<Record<string, unknown>>;
    };
    const driver = Object.keys(lock.packages).find((name) => name.startsWith("neo4j-driver@"));
    expect(purls("ikg.cdx.json")).toContain(`pkg:npm/${driver}`);
    expect(purls("access.cdx.json")).toContain(`pkg:npm/${driver}`);
    // What is bundled into a package that depends on nothing is not among what npm installs with it.
    expect(purls("client.cdx.json").filter((purl) => purl.includes("neo4j-driver"))).toEqual([]);
  });

  it("names the images of the release in the manifests, by tags where there are no digests", () => {
    for (const overlay of ["local", "production"]) {
      const file = `k8s/overlays/${overlay}/kustomization.yaml`;
      const { images } = parse(unpacked(`ikg-kubernetes-${version}.tar.gz`, file)) as {
        readonly images: readonly unknown[];
      };
      expect(images).toEqual(
        services
          .toSorted()
          .map((name) => ({ name: `ikg/${name}`, newName: `r.example/ikg/${name}`, newTag: version })),
      );
    }
    const compose = unpacked(`ikg-compose-${version}.tar.gz`, "ikg-compose/docker-compose.yml");
    for (const name of services) expect(compose).toContain(`:-r.example/ikg}/${name}:${version}\n`);
  });

  it("has the documentation with the changelog of the release", () => {
    expect(unpacked(`docs-${version}.tar.gz`, `docs-${version}/CHANGELOG.md`)).toBe(changelog);
    expect(unpacked(`docs-${version}.tar.gz`, `docs-${version}/docs/operations.md`)).toBe(
      readFileSync(join(clone, "docs", "operations.md"), "utf8"),
    );
  });

  it("makes no version twice", () => {
    const { code, output } = release("--dry-run", ...skipped);
    expect([code, output]).toEqual([1, expect.stringContaining(`The tag v${version} exists already.`)]);
  }, 120_000);
});
