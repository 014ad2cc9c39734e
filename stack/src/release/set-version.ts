/** Where the version of the suite is written. */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const manifests = ["package.json", "{libs,services,apps}/*/package.json", "{stack,e2e,bench}/package.json"];

/** A file with the version, and what replaces it there. */
interface Place {
  readonly files: string;
  readonly pattern: RegExp;
}

const places: readonly Place[] = [
  ...manifests.map((files) => ({ files, pattern: /^( {2}"version": ")[^"]+/m })),
  { files: "Dockerfile", pattern: /^(ARG VERSION=)\S+/m },
  { files: "k8s/overlays/production/kustomization.yaml", pattern: /(newTag: )[^ }]+/g },
  { files: "deploy/helm/ikg/Chart.yaml", pattern: /^((?:version|appVersion): ).+$/gm },
];

/**
 * Writes a version into every manifest.
 *
 * @returns the files that changed, relative to the root
 */
export const setVersion = (root: string, version: string, write: boolean): readonly string[] =>
  places.flatMap(({ files, pattern }) =>
    globSync(files, { cwd: root })
      .filter((file) => existsSync(join(root, file)))
      .filter((file) => {
        const before = readFileSync(join(root, file), "utf8");
        const after = before.replace(pattern, (_, head: string) => head + version);
        if (write && after !== before) writeFileSync(join(root, file), after);
        return after !== before;
      }),
  );
