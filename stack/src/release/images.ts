/** Images of the services, as one OCI archive, whose digests are those that a registry will have. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { services } from "../parts/variables.ts";
import { run, type RunOptions } from "./run.ts";

/** Digest of the manifest of each image, `sha256:…`, by its service. */
export type Digests = Readonly<Record<string, string>>;

interface Index {
  readonly manifests: readonly {
    readonly digest: string;
    readonly annotations?: Readonly<Record<string, string>>;
  }[];
}

/** @returns the digests that the index of an archive names, by the service in the name of the image */
export const digestsOf = (index: Index, tag: string): Digests =>
  Object.fromEntries(
    index.manifests.flatMap(({ digest, annotations = {} }) => {
      const name = annotations["io.containerd.image.name"] ?? "";
      const [, service] = new RegExp(`(?:^|/)ikg/([a-z-]+):${tag.replaceAll(".", "\\.")}$`).exec(name) ?? [];
      return service === undefined ? [] : [[service, digest]];
    }),
  );

export interface ImagesOf {
  readonly version: string;
  /** The commit, and its time. */
  readonly revision: string;
  readonly created: string;
}

/** Builds them and writes `images.tar`. */
export const buildImages = async (
  folder: string,
  { version, revision, created }: ImagesOf,
  options: RunOptions,
): Promise<Digests> => {
  const tags = services.map((name) => `ikg/${name}:${version}`);
  for (const [at, name] of services.entries())
    await run(
      "docker",
      [
        "build",
        ...["--target", name, "--tag", tags[at] ?? ""],
        ...["--build-arg", `VERSION=${version}`, "--build-arg", `REVISION=${revision}`],
        ...["--build-arg", `CREATED=${created}`],
        ".",
      ],
      options,
    );
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, "images.tar");
  rmSync(archive, { force: true });
  await run("docker", ["save", "--output", archive, ...tags], options);
  const index = execFileSync("tar", ["-xOf", archive, "index.json"], { encoding: "utf8" });
  const digests = digestsOf(JSON.parse(index) as Index, version); // as the OCI image layout has it
  const missing = services.filter((name) => digests[name] === undefined);
  if (missing.length > 0) throw new Error(`the archive has no digest of ${missing.join(", ")}`);
  return digests;
};
