/** An overlay with a component of `k8s/components`, as an operator puts it together. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { inRepository } from "../repository.ts";

/** Lends a folder for kustomize to `work`. */
export const withComponent = async <T>(
  overlay: string,
  component: "private-ca" | "internal-tls",
  work: (folder: string) => Promise<T>,
): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-component-"));
  const from = (path: string): string => relative(folder, inRepository(path));
  const kustomization = { resources: [from(overlay)], components: [from(`k8s/components/${component}`)] };
  writeFileSync(join(folder, "kustomization.yaml"), JSON.stringify(kustomization));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
