/** An overlay with the component for certificate authorities of one's own, as an operator puts it together. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { inRepository } from "../repository.ts";
import type { ClusterObject } from "./network.ts";

interface PodTemplate {
  readonly template: {
    readonly spec: {
      readonly containers: readonly {
        readonly env: readonly { readonly name: string; readonly value?: string }[];
        readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
      }[];
      readonly volumes: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[];
    };
  };
}

/** Lends a folder for kustomize to `work`. */
export const withPrivateCa = async <T>(overlay: string, work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "ikg-private-ca-"));
  const from = (path: string): string => relative(folder, inRepository(path));
  const kustomization = {
    resources: [from(overlay)],
    components: [from("k8s/components/private-ca")],
  };
  writeFileSync(join(folder, "kustomization.yaml"), JSON.stringify(kustomization));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** The Deployments whose Node does not read the authorities, or finds none where it looks. */
export const withoutPrivateCa = (objects: readonly ClusterObject[]): readonly string[] =>
  objects
    .filter(({ kind }) => kind === "Deployment")
    .filter(({ spec }) => {
      // The API server has taken it.
      const { containers, volumes } = (spec as PodTemplate).template.spec;
      const file = containers[0]?.env.find(({ name }) => name === "NODE_EXTRA_CA_CERTS")?.value;
      const mount = containers[0]?.volumeMounts.find(({ name }) => name === "ca")?.mountPath;
      const source = volumes.find(({ name }) => name === "ca")?.configMap?.name;
      return file !== `${mount}/ca.crt` || source !== "ikg-ca";
    })
    .map(({ metadata: { name } }) => name);
