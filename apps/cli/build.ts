/**
 * Builds the package for publication: `node apps/cli/build.ts [FOLDER]`, by default to `apps/cli/dist`, for `npm pack` or
 * `npm publish`. Node does not run TypeScript below node_modules, and packages of the workspace are not published, so the
 * dependencies are bundled. Each command is a separate chunk that is loaded when it is called.
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build as bundle } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

const publishedManifest = ({ name, version, description, license }: Manifest): object => ({
  name,
  version,
  description,
  license,
  type: "module",
  engines: { node: ">=20" },
  bin: { ikg: "./main.js" },
  man: "./man/ikg.1",
});

const licenseOf = (folder: string): string => {
  const name = readdirSync(folder).find((each) => /^licen[cs]e(\.(md|txt))?$/i.test(each));
  if (name === undefined) throw new Error(`${folder} has no license text`);
  return readFileSync(join(folder, name), "utf8").trim();
};

/** Licenses of the bundled libraries, which require their distribution. */
const thirdPartyLicenses = (inputs: readonly string[]): string => {
  const folders = inputs.flatMap(
    (input) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
  );
  return [...new Set(folders)]
    .map((folder) => join(here, folder))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(folder, "package.json"), "utf8"),
      ) as Manifest; // of a package
      return `${name} ${version} (${license})\n\n${licenseOf(folder)}\n`;
    })
    .sort()
    .join(`\n${"-".repeat(80)}\n\n`);
};

export const build = async (folder = join(here, "dist")): Promise<string> => {
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await bundle({
    absWorkingDir: here,
    metafile: true,
    entryPoints: [join(here, "src", "main.ts")],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    minifySyntax: true,
    minifyWhitespace: true,
    // Messages contain names of classes.
    keepNames: true,
    legalComments: "none",
    chunkNames: "parts/[name]-[hash]",
    // CommonJS libraries call `require`.
    banner: {
      js: `import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);`,
    },
    logLevel: "error",
  });
  writeFileSync(join(folder, "THIRD_PARTY_LICENSES"), thirdPartyLicenses(Object.keys(metafile.inputs)));
  const program = join(folder, "main.js");
  chmodSync(program, 0o755);
  const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8")) as Manifest; // our own
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
  mkdirSync(join(folder, "man"));
  copyFileSync(join(here, "man", "ikg.1"), join(folder, "man", "ikg.1"));
  copyFileSync(join(here, "README.md"), join(folder, "README.md"));
  copyFileSync(join(here, "..", "..", "LICENSE"), join(folder, "LICENSE"));
  return folder;
};

if (import.meta.main) void build(process.argv[2]);
