/**
 * Builds the package as it is published: `node libs/client/build.ts [FOLDER]`, by default `libs/client/dist`, which
 * `npm pack` or `npm publish` then takes. Packages below node_modules cannot be TypeScript.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
}

const compile = (folder: string): void => {
  const require = createRequire(import.meta.url);
  const compiler = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
  const args = [compiler, "-p", join(here, "tsconfig.build.json"), "--outDir", folder];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`tsc failed:\n${stdout}`);
};

/** The compiler rewrites imports in programs, and leaves those of declarations as they are. */
const rewriteDeclarations = (folder: string): void => {
  for (const name of globSync("**/*.d.ts", { cwd: folder })) {
    const file = join(folder, name);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll(/((?:from |import\()"\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
  }
};

/** The manifest with entry points of the built files. */
const publishedManifest = ({ name, version, description, license, exports }: Manifest): object => ({
  name,
  version,
  description,
  license,
  type: "module",
  sideEffects: false,
  engines: { node: ">=20" },
  exports: Object.fromEntries(
    Object.entries(exports).map(([path, source]) => {
      const built = source.replace(/^\.\/src\//, "./").replace(/\.ts$/, "");
      return [path, { types: `${built}.d.ts`, default: `${built}.js` }];
    }),
  ),
});

export const build = (folder = join(here, "dist")): string => {
  rmSync(folder, { recursive: true, force: true });
  compile(folder);
  rewriteDeclarations(folder);
  const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8")) as Manifest; // our own
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
  copyFileSync(join(here, "README.md"), join(folder, "README.md"));
  copyFileSync(join(here, "..", "..", "LICENSE"), join(folder, "LICENSE"));
  return folder;
};

if (import.meta.main) build(process.argv[2]);
