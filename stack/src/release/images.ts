/** Images of the services, as one OCI archive, whose digests are those that a registry will have. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../../launch/run-program.mjs";
import { prepareEngine } from "../containers/engine.ts";
import { services } from "../services/service-names.ts";
import { aptInstall } from "../system/apt.ts";
import { run, type RunOptions } from "./run.ts";

/** Digest of the manifest of each image, `sha256:…`, by its service. */
export type Digests = Readonly<Record<string, string>>;

interface Manifest {
  readonly digest: string;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Index {
  readonly manifests: readonly Manifest[];
}

/** By which skopeo finds an image in the archive. */
const refName = "org.opencontainers.image.ref.name";
/** The same for containerd: `ctr images import`. */
const imageName = "io.containerd.image.name";

/** What the engine builds, and saves. */
const tagOf = (service: string, version: string): string => `ikg/${service}:${version}`;
/** The same in the archive. */
const nameOf = (service: string, version: string): string => `docker.io/ikg/${service}:${version}`;

/** @returns the digests that the index of an archive names, by the service in the name of the image */
export const digestsOf = ({ manifests }: Index, version: string): Digests =>
  Object.fromEntries(
    services.flatMap((service) => {
      const found = manifests.find(({ annotations }) => annotations[refName] === nameOf(service, version));
      return found === undefined ? [] : [[service, found.digest]];
    }),
  );

/** Labels of the images, as the OCI specification names them. */
export interface ImageLabels {
  readonly version: string;
  /** The commit. */
  readonly revision: string;
  /** Its time, RFC 3339. */
  readonly created: string;
}

/** Copies what the engine saved into an OCI image layout, whatever form the engine saves in. */
const copyImages = async (
  saved: string,
  layout: string,
  version: string,
  options: RunOptions,
): Promise<Index> => {
  for (const service of services)
    await run(
      "skopeo",
      [
        ...["--insecure-policy", "copy", "--quiet"],
        `docker-archive:${saved}:${tagOf(service, version)}`,
        `oci:${layout}:${nameOf(service, version)}`,
      ],
      options,
    );
  const file = join(layout, "index.json");
  const index = JSON.parse(readFileSync(file, "utf8")) as Index; // as the OCI image layout has it
  const named = index.manifests.map((manifest) => ({
    ...manifest,
    annotations: { ...manifest.annotations, [imageName]: manifest.annotations[refName] },
  }));
  writeFileSync(file, JSON.stringify({ ...index, manifests: named }));
  return index;
};

/** @throws UserError where the engine or skopeo is missing and cannot be installed */
export const prepareImages = async (signal: AbortSignal): Promise<void> => {
  await prepareEngine(signal);
  if ((await runProgram("skopeo", ["--version"])).code !== 0)
    await aptInstall([{ what: "skopeo", packages: ["skopeo"] }], signal);
};

/** Builds them and writes `images.tar`. */
export const buildImages = async (
  folder: string,
  { version, revision, created }: ImageLabels,
  options: RunOptions,
): Promise<Digests> => {
  const tags = services.map((name) => tagOf(name, version));
  for (const name of services)
    await run(
      "docker",
      [
        "build",
        ...["--target", name, "--tag", tagOf(name, version)],
        ...["--build-arg", `VERSION=${version}`, "--build-arg", `REVISION=${revision}`],
        ...["--build-arg", `CREATED=${created}`],
        ".",
      ],
      options,
    );
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), "ikg-images-"));
  try {
    const [saved, layout] = [join(scratch, "saved.tar"), join(scratch, "layout")];
    await run("docker", ["save", "--output", saved, ...tags], options);
    const digests = digestsOf(await copyImages(saved, layout, version, options), version);
    const missing = services.filter((name) => digests[name] === undefined);
    if (missing.length > 0) throw new Error(`the archive has no digest of ${missing.join(", ")}`);
    await run("tar", ["--create", "--file", join(folder, "images.tar"), "--directory", layout, "."], options);
    return digests;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};
