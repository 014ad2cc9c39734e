import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { services } from "../services/service-names.ts";
import { inRepository, repository } from "../repository.ts";
import { copyInto, packArchive, trackedFiles } from "./archive.ts";
import { packCompose, pinnedCompose } from "./compose.ts";
import { packKubernetes, type ImagePins } from "./kubernetes.ts";

const digestOf = (name: string): string => `sha256:${name.length.toString(16).repeat(64).slice(0, 64)}`;
const pins: ImagePins = {
  version: "1.2.3",
  registry: "r.example/ikg",
  digests: Object.fromEntries(services.map((name) => [name, digestOf(name)])),
};

/** Archives and, next to them, what they hold. */
let folder: string;
let entries: Readonly<Record<string, readonly string[]>>;
const options = { cwd: repository, signal: new AbortController().signal };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ikg-release-archives-"));
  const archives = [await packCompose(folder, pins, options), await packKubernetes(folder, pins, options)];
  const unpack = (archive: string): readonly string[] =>
    execFileSync("tar", ["-xvzf", archive], { cwd: folder, encoding: "utf8" }).trim().split("\n");
  entries = Object.fromEntries(archives.map((archive) => [archive, unpack(archive)]));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Scripts below these folders that pages run. */
const scriptsOfPages = (...folders: readonly string[]): readonly string[] => {
  const command = new RegExp(`\\bsh ((?:${folders.join("|")})/[\\w./-]+\\.sh)\\b`, "g");
  return globSync(["README.md", "docs/**/*.md"], { cwd: repository }).flatMap((page) =>
    [...readFileSync(inRepository(page), "utf8").matchAll(command)].map(([, script = ""]) => script),
  );
};

const unpacked = (...names: readonly string[]): string => join(folder, ...names);
const read = (...names: readonly string[]): string => readFileSync(unpacked(...names), "utf8");

describe("the archives of a release", () => {
  it("have folders of their own", () => {
    const roots = Object.entries(entries).map(([archive, names]) => [
      archive,
      [...new Set(names.map((name) => name.split("/")[0] ?? ""))].toSorted(),
    ]);
    expect(Object.fromEntries(roots)).toEqual({
      "ikg-compose-1.2.3.tar.gz": ["ikg-compose"],
      "ikg-kubernetes-1.2.3.tar.gz": ["deploy", "k8s", "monitoring"],
    });
  });

  it("can be read by users of containers, and written by their owner alone", async () => {
    await packArchive(folder, "modes.tar.gz", options, (into) => {
      mkdirSync(join(into, "private"), { mode: 0o700 });
      writeFileSync(join(into, "private", "a.conf"), "", { mode: 0o600 });
      writeFileSync(join(into, "private", "b.sh"), "", { mode: 0o700 });
    });
    const modes = (archive: string): readonly (readonly (string | undefined)[])[] =>
      execFileSync("tar", ["-tvzf", archive], { cwd: folder, encoding: "utf8" })
        .trim()
        .split("\n")
        .map((line) => [line.split(/\s+/)[0], line.split(/\s+/).at(-1)]);
    expect(modes("modes.tar.gz")).toEqual([
      ["drwxr-xr-x", "private/"],
      ["-rw-r--r--", "private/a.conf"],
      ["-rwxr-xr-x", "private/b.sh"],
    ]);
    const packed = modes("ikg-compose-1.2.3.tar.gz");
    expect(packed).toContainEqual(["-rw-r--r--", "ikg-compose/deploy/redis/users.conf"]);
    expect(packed.filter(([mode = ""]) => !/^(drwxr-xr-x|-rw.r-.r-.)$/.test(mode))).toEqual([]);
  });

  it("have what git tracks alone, and nothing else that lies in a folder", () => {
    const [root, into] = [unpacked("source"), unpacked("copy")];
    const git = (...args: readonly string[]): string =>
      execFileSync("git", args, { cwd: root, encoding: "utf8" });
    mkdirSync(join(root, "deploy", "redis"), { recursive: true });
    for (const name of ["users.conf", "users.conf.orig", ".env"])
      writeFileSync(join(root, "deploy", "redis", name), name);
    git("init", "--quiet");
    git("add", "deploy/redis/users.conf");
    copyInto(into, root, ["deploy"]);
    expect(globSync("**/*", { cwd: into }).toSorted()).toEqual([
      "deploy",
      "deploy/redis",
      "deploy/redis/users.conf",
    ]);
    expect(existsSync(join(into, "deploy", "redis", ".env"))).toBe(false);
    expect(() => trackedFiles(root, ["deploy", "monitoring"])).toThrow("monitoring");
  });
});

interface ComposeService {
  readonly image?: string;
  readonly build?: unknown;
  readonly volumes?: readonly string[];
}

type Compose = Readonly<Record<string, unknown>> & {
  readonly services: Readonly<Record<string, ComposeService>>;
};

const parsed = (text: string): Compose => parse(text, { merge: true }) as Compose; // a file of this repository

describe("the archive for docker compose", () => {
  const source = parsed(readFileSync(inRepository("docker-compose.yml"), "utf8"));
  const built = Object.entries(source.services).filter(([, { build }]) => build !== undefined);

  it("builds nothing, and names the images of the release by digest, of any registry", () => {
    const { services: pinned } = parsed(read("ikg-compose", "docker-compose.yml"));
    expect(built.map(([name]) => name).toSorted()).toEqual(["bootstrap", ...services].toSorted());
    for (const [name] of built) {
      const image = name === "bootstrap" ? "configs" : name;
      const { build, image: found } = pinned[name] ?? {};
      expect([build, found]).toEqual([
        undefined,
        `\${IMAGE_REGISTRY:-r.example/ikg}/${image}@${digestOf(image)}`,
      ]);
    }
  });

  it("names images without a digest by the tag of the release", () => {
    const text = readFileSync(inRepository("docker-compose.yml"), "utf8");
    const { services: pinned } = parsed(pinnedCompose(text, { ...pins, digests: {} }));
    expect(pinned["bootstrap"]?.image).toBe(`\${IMAGE_REGISTRY:-r.example/ikg}/configs:1.2.3`);
    expect(pinned["access"]?.image).toBe(`\${IMAGE_REGISTRY:-r.example/ikg}/access:1.2.3`);
  });

  it("changes nothing else of the Compose file but the page that errors name", () => {
    const withoutImages = (compose: Compose): unknown => ({
      ...compose,
      services: Object.fromEntries(
        Object.entries(compose.services).map(([name, { build: _build, image, ...rest }]) => [
          name,
          built.some(([each]) => each === name) ? rest : { image, ...rest },
        ]),
      ),
    });
    const packed = read("ikg-compose", "docker-compose.yml");
    expect(packed).toContain("?set it, see docs/operations.md}");
    expect(packed).not.toContain("see README}");
    const withReadme = parsed(packed.replaceAll("see docs/operations.md}", "see README}"));
    expect(withoutImages(withReadme)).toEqual(withoutImages(source));
  });

  it("has whatever the containers mount", () => {
    const mounted = Object.values(source.services)
      .flatMap(({ volumes = [] }) => volumes)
      .flatMap((volume) => /^\.\/([^:]+):/.exec(volume)?.[1] ?? []);
    expect(mounted).toContain("deploy/redis/users.conf");
    expect(mounted.filter((path) => !existsSync(unpacked("ikg-compose", path)))).toEqual([]);
  });

  it("has every script that pages run", () => {
    const scripts = scriptsOfPages("deploy", "stack");
    expect(scripts).toEqual(
      expect.arrayContaining(["deploy/replace.sh", "deploy/redis/set-users.sh", "stack/backup/restore.sh"]),
    );
    expect(scripts.filter((script) => !existsSync(unpacked("ikg-compose", script)))).toEqual([]);
  });
});

interface Kustomization {
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly patches?: readonly { readonly path?: string }[];
  readonly configMapGenerator?: readonly { readonly files?: readonly string[] }[];
  readonly images?: readonly unknown[];
}

const kustomization = (file: string): Kustomization => parse(read(file)) as Kustomization; // a file of this repository

describe("the archive for Kubernetes", () => {
  it("has every file and folder that its kustomizations name", () => {
    const files = globSync("{k8s,monitoring}/**/kustomization.yaml", { cwd: folder });
    expect(files).toEqual(
      expect.arrayContaining(["k8s/overlays/local/kustomization.yaml", "k8s/monitoring/kustomization.yaml"]),
    );
    const missing = files.flatMap((file) => {
      const { resources = [], components = [], patches = [], configMapGenerator = [] } = kustomization(file);
      return [
        ...resources,
        ...components,
        ...patches.flatMap(({ path }) => path ?? []),
        ...configMapGenerator.flatMap(({ files: of = [] }) => of).map((each) => each.replace(/^[^=]+=/, "")),
      ]
        .filter((path) => !existsSync(unpacked(dirname(file), path)))
        .map((path) => `${file}: ${path}`);
    });
    expect(missing).toEqual([]);
  });

  it("has every script of k8s that pages run, and those of deploy that pages run for it", () => {
    const scripts = scriptsOfPages("k8s");
    expect(scripts).toEqual(expect.arrayContaining(["k8s/backup/restore.sh", "k8s/rotate-key.sh"]));
    const ofDeploy = ["new-secrets.sh", "rotate-key.sh", "redis/set-users.sh", "redis/users.conf"];
    for (const script of [...scripts, ...ofDeploy.map((name) => `deploy/${name}`)])
      expect([script, existsSync(unpacked(script))]).toEqual([script, true]);
  });

  it("names the images of the release in the overlays of operators", () => {
    const images = services
      .toSorted()
      .map((name) => ({ name: `ikg/${name}`, newName: `r.example/ikg/${name}`, digest: digestOf(name) }));
    for (const overlay of ["local", "production"])
      expect(kustomization(`k8s/overlays/${overlay}/kustomization.yaml`).images).toEqual(images);
  });
});
