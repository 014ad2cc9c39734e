/** A folder of kustomize that a test puts together from those of this repository, as an operator does. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { inRepository } from "../repository.ts";

/**
 * Lends a folder for kustomize to `work`.
 *
 * @param contentOf the kustomization; its argument makes a path of the repository one of the folder
 */
export const withKustomization = async <T>(
  contentOf: (from: (path: string) => string) => object,
  work: (folder: string) => Promise<T>,
): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-kustomization-"));
  const content = contentOf((path) => relative(folder, inRepository(path)));
  writeFileSync(join(folder, "kustomization.yaml"), JSON.stringify(content));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
