/** Licenses of the libraries that are bundled, which ask for being passed on. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

const licenseOf = (folder: string): string => {
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.(md|txt))?$/i.test(each));
  return file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
};

const textOf = (folders: ReadonlySet<string>): string =>
  [...folders]
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest; // of a package
      return `${manifest.name} ${manifest.version} (${manifest.license ?? "see text"})\n\n${licenseOf(folder)}\n`;
    })
    .sort()
    .join(`\n${"-".repeat(80)}\n\n`);

/** Writes `licenses.txt` beside the built files. */
export const licenses = (): Plugin => ({
  name: "licenses",
  generateBundle(_options, bundle) {
    const folders = new Set<string>();
    for (const chunk of Object.values(bundle))
      if (chunk.type === "chunk")
        for (const id of Object.keys(chunk.modules)) {
          const folder = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
          if (folder !== undefined) folders.add(folder);
        }
    this.emitFile({ type: "asset", fileName: "licenses.txt", source: textOf(folders) });
  },
});
