import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { inRepository, repository } from "../repository.ts";
import { releaseNotes } from "./changelog.ts";
import { checkKey, signFolder } from "./checksums.ts";
import { recordAfter, requireGreenRun } from "./green-run.ts";
import { digestsOf } from "./images.ts";
import { pinnedKustomization, pinnedValues } from "./kubernetes.ts";
import { parseReleaseOptions } from "./options.ts";
import { setVersion } from "./set-version.ts";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "ikg-release-test-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;

describe("options of a release", () => {
  it("take a version, a key, a registry, and reasons for what is left out", () => {
    const args = ["1.2.3", "--key", "k.pem", "--registry", "r.example/x", "--skip-tests", "ran elsewhere"];
    expect(parseReleaseOptions(args)).toEqual({
      version: "1.2.3",
      keyFile: "k.pem",
      registry: "r.example/x",
      acceptSkipped: undefined,
      skipped: { tests: "ran elsewhere", images: undefined, "data-set": undefined },
      dryRun: false,
    });
    expect(parseReleaseOptions(["1.2.3", "--dry-run"])).toMatchObject({
      registry: "registry.example.com/ikg",
      dryRun: true,
    });
    const local = ["1.2.3", "--dry-run", "--registry", "127.0.0.1:5000/my-team/ikg"];
    expect(parseReleaseOptions(local).registry).toBe("127.0.0.1:5000/my-team/ikg");
    const accepting = ["1.2.3", "--dry-run", "--accept-skipped", "no browser here"];
    expect(parseReleaseOptions(accepting).acceptSkipped).toBe("no browser here");
  });

  it.each([
    [["1.2"], /^npm run release -- X\.Y\.Z/],
    [["01.2.3", "--key", "k"], /^npm run release/],
    [["1.2.3", "--key", "k", "--force"], /^npm run release/],
    [["1.2.3"], /^A release is signed/],
    [["1.2.3", "--skip-tests", "--dry-run"], /^--skip-tests needs a value/],
    [["1.2.3", "--dry-run", "--registry", "r.example"], /^--registry r\.example is not HOST\/PATH/],
    [["1.2.3", "--dry-run", "--registry", "r.example/ikg/"], /^--registry r\.example\/ikg\/ is not/],
    [["1.2.3", "--dry-run", "--registry", "https://r.example/ikg"], /^--registry https:/],
  ])("refuse %j", (args, message) => {
    expect(() => parseReleaseOptions(args)).toThrow(message);
  });
});

describe("the section of a release in the changelog", () => {
  const changelog = (open: string, section: string): string =>
    `# Changelog\n\n## [Unreleased]\n${open}\n## [1.2.3] - 2026-11-25\n\n${section}\n## [1.2.2] - 2026-01-01\n\n- Former.\n`;

  it("is what users notice of it", () => {
    expect(releaseNotes(changelog("", "### Added\n\n- New.\n"), "1.2.3")).toBe("### Added\n\n- New.");
  });

  it.each([
    ["1.2.4", changelog("", "- New."), /has no section "## \[1\.2\.4\] - YYYY-MM-DD"/],
    ["1.2.3", changelog("", ""), /lists no change/],
    ["1.2.3", changelog("\n- Open.\n", "- New."), /still stand under \[Unreleased\]/],
  ])("is demanded of %s", (version, text, message) => {
    expect(() => releaseNotes(text, version)).toThrow(message);
  });
});

describe("the run of all tests", () => {
  const [commit, otherCommit] = ["c".repeat(40), "d".repeat(40)];
  const endTime = "2026-11-25T00:00:00Z";
  const run = { commit, isLong: true, endTime, skipped: [] };

  it("counts for its commit, if it was a long one", () => {
    expect(requireGreenRun(commit, undefined, run)).toEqual(run);
    expect(() => requireGreenRun(otherCommit, undefined, run)).toThrow(
      /on record is npm run test:long of cccccccccccc/,
    );
    expect(() => requireGreenRun(commit, undefined, { ...run, isLong: false })).toThrow(
      /on record is npm test of/,
    );
  });

  it("counts with skipped tests only where that is accepted, and keeps their names", () => {
    const skipping = { ...run, skipped: ["e2e/a.test.ts: a screen (no browser)", "b.test.ts: b"] };
    expect(() => requireGreenRun(commit, undefined, skipping)).toThrow(
      /skipped 2 tests:\n {2}e2e\/a\.test\.ts: a screen \(no browser\)\n {2}b\.test\.ts: b\n.*--accept-skipped "REASON"/,
    );
    expect(requireGreenRun(commit, "no screens changed", skipping)).toEqual({
      ...skipping,
      skippedAccepted: "no screens changed",
    });
    expect(requireGreenRun(commit, "not needed", run)).toEqual(run);
  });

  it("is on record where it passed on a tree that is clean from its beginning to its end", () => {
    const passed = { commit, isLong: true, skipped: [], passed: true };
    expect(recordAfter(undefined, passed, commit, endTime)).toEqual(run);
    expect(recordAfter(undefined, passed, undefined, endTime)).toBeUndefined();
    expect(recordAfter(undefined, passed, otherCommit, endTime)).toBeUndefined();
    expect(recordAfter(undefined, { ...passed, commit: undefined }, commit, endTime)).toBeUndefined();
    expect(recordAfter(undefined, { ...passed, passed: false }, commit, endTime)).toBeUndefined();
  });

  it("stays on record, if it was a long one, until another passes or one of its commit fails", () => {
    const short = { commit, isLong: false, skipped: [], passed: true };
    for (const ended of [
      short,
      { ...short, commit: otherCommit },
      { ...short, commit: otherCommit, passed: false },
      { ...short, commit: undefined },
      { ...short, commit: undefined, passed: false },
    ])
      expect(recordAfter(run, ended, ended.commit, "2026-11-26T00:00:00Z")).toBe(run);
    expect(recordAfter(run, { ...short, passed: false }, commit, endTime)).toBeUndefined();
    const long = { ...short, commit: otherCommit, isLong: true };
    expect(recordAfter(run, long, otherCommit, endTime)).toEqual({ ...run, commit: otherCommit });
  });
});

describe("the version of the suite", () => {
  it("is written into every manifest, and nowhere else", () => {
    mkdirSync(join(folder, "tree", "libs", "one"), { recursive: true });
    const manifest = { name: "x", version: "0.1.0", dependencies: { other: "0.1.0" } };
    for (const file of ["package.json", "libs/one/package.json"])
      writeFileSync(join(folder, "tree", file), JSON.stringify(manifest, undefined, 2));
    writeFileSync(join(folder, "tree", "Dockerfile"), "FROM x\nARG VERSION=0.1.0\n");
    const files = ["package.json", "libs/one/package.json", "Dockerfile"];
    expect(setVersion(join(folder, "tree"), "0.2.0", false)).toEqual(files);
    expect(setVersion(join(folder, "tree"), "0.2.0", true)).toEqual(files);
    expect(JSON.parse(readFileSync(join(folder, "tree", "package.json"), "utf8"))).toEqual({
      ...manifest,
      version: "0.2.0",
    });
    expect(setVersion(join(folder, "tree"), "0.2.0", true)).toEqual([]);
  });

  it("stands in every package of the workspace, the Dockerfile and the overlay for production", () => {
    const files = setVersion(inRepository(), "9.9.9", false);
    expect(files).toEqual(
      expect.arrayContaining([
        "package.json",
        "libs/service/package.json",
        "services/access/package.json",
        "apps/cli/package.json",
        "e2e/package.json",
        "Dockerfile",
        "k8s/overlays/production/kustomization.yaml",
      ]),
    );
  });
});

it("images are built without secrets that git ignores below folders of packages", () => {
  const linesOf = (file: string): readonly string[] => readFileSync(inRepository(file), "utf8").split("\n");
  const secrets = [".env", ".env.*", "*.key"];
  expect(linesOf(".gitignore")).toEqual(expect.arrayContaining(secrets));
  expect(linesOf(".dockerignore")).toEqual(expect.arrayContaining(secrets.map((name) => `**/${name}`)));
});

describe("digests of images", () => {
  it("are those of the archive", () => {
    const of = (name: string, letter: string) => ({
      digest: digest(letter),
      annotations: { "org.opencontainers.image.ref.name": name },
    });
    const manifests = [
      of("docker.io/ikg/access:1.2.3", "a"),
      of("docker.io/ikg/trust-scorer:1.2.3", "b"),
      of("docker.io/ikg/audit:1.2.4", "c"),
    ];
    expect(digestsOf({ manifests }, "1.2.3")).toEqual({ access: digest("a"), "trust-scorer": digest("b") });
  });

  it("pin the manifests, which name images without a digest by their tag", () => {
    const pins = { version: "1.2.3", registry: "r.example/ikg", digests: { access: digest("a") } };
    const text = readFileSync(inRepository("k8s", "overlays", "production", "kustomization.yaml"), "utf8");
    const { images, resources } = parse(pinnedKustomization(text, pins)) as {
      readonly images: readonly { readonly name: string }[];
      readonly resources: unknown;
    };
    expect(images.slice(0, 2)).toEqual([
      { name: "ikg/access", newName: "r.example/ikg/access", digest: digest("a") },
      { name: "ikg/audit", newName: "r.example/ikg/audit", newTag: "1.2.3" },
    ]);
    const former = parse(text) as typeof pins & { images: typeof images; resources: unknown };
    expect(images.map(({ name }) => name)).toEqual(former.images.map(({ name }) => name));
    expect(resources).toEqual(former.resources);
    const values = "image:\n  registry: ''\n  repository: ikg\nservices: {}\n";
    expect(parse(pinnedValues(values, pins))).toEqual({
      image: { registry: "r.example", repository: "ikg" },
      services: { access: { image: { digest: digest("a") } } },
    });
  });
});

describe("checksums", () => {
  it("are verified by sha256sum and openssl, as docs/releasing.md says", async () => {
    const files = join(folder, "files");
    mkdirSync(join(files, "sbom"), { recursive: true });
    writeFileSync(join(files, "a.txt"), "a");
    writeFileSync(join(files, "sbom", "b.json"), "{}");
    const { privateKey } = generateKeyPairSync("ed25519");
    const key = join(folder, "key.pem");
    writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }));
    await signFolder(files, key);
    const page = readFileSync(inRepository("docs", "releasing.md"), "utf8");
    const [, script = ""] = /^## Verify\n[\s\S]*?```sh\n([\s\S]*?)```/m.exec(page) ?? [];
    expect(script).toContain("openssl");
    const command = script.replace("/path/to/trusted/release.pub", "release.pub");
    const verify = () =>
      execFileSync("sh", ["-ec", command], { cwd: files, encoding: "utf8", stdio: "pipe" });
    expect(verify()).toContain("sbom/b.json: OK");
    writeFileSync(join(files, "a.txt"), "b");
    expect(verify).toThrow();
    writeFileSync(join(files, "a.txt"), "a");
    writeFileSync(join(files, "SHA256SUMS"), `${readFileSync(join(files, "SHA256SUMS"), "utf8")}\n`);
    expect(verify).toThrow();
  });

  it("need a key, whose files leave the tree of the clone clean", () => {
    const page = readFileSync(inRepository("docs", "releasing.md"), "utf8");
    const [, script = ""] = /^## The key\n[\s\S]*?```sh\n([\s\S]*?)```/m.exec(page) ?? [];
    const names = [...script.matchAll(/-out (\S+)/g)].map(([, name = ""]) => name);
    expect(names).toEqual(["release.key", "release.pub"]);
    const ignored = execFileSync("git", ["check-ignore", ...names], { cwd: repository, encoding: "utf8" });
    expect(ignored.trim().split("\n")).toEqual(names);
  });

  it("need an Ed25519 key", () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = join(folder, "ec.pem");
    writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }));
    expect(() => checkKey(key)).toThrow(/is not an Ed25519 private key/);
    expect(() => checkKey(join(folder, "missing.pem"))).toThrow(/is not an Ed25519 private key/);
  });
});
