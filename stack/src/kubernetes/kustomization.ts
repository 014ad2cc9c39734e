/** What a folder of kustomize is made of, before anything is patched: no patch here is for a NetworkPolicy. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { inRepository, textInRepository } from "../repository.ts";
import type { ClusterObject } from "./network.ts";

interface Kustomization {
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
}

/** @param path of a folder with a `kustomization.yaml`, or of a manifest, below the repository. */
export const resourcesOf = (path: string): readonly ClusterObject[] => {
  if (!statSync(inRepository(path)).isDirectory())
    return parseAllDocuments(textInRepository(path)).map((document) => document.toJS() as ClusterObject);
  const { resources = [], components = [] } = parse(
    textInRepository(join(path, "kustomization.yaml")),
  ) as Kustomization;
  return [...resources, ...components].flatMap((each) => resourcesOf(join(path, each)));
};
