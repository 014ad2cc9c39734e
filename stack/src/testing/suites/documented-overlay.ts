/** The lines that docs/operations.md gives an overlay of Kubernetes for a suite behind a proxy. */
import { parse } from "yaml";
import { documentedLines } from "./documented-commands.ts";

/** A generator of kustomize that sets variables of the services. */
export interface SettingsGenerator {
  readonly name: string;
  readonly behavior: string;
  /** `NAME=VALUE` each. */
  readonly literals: readonly string[];
}

/** @throws Error where the page has none */
export const documentedGenerator = (): SettingsGenerator => {
  // Ours, with this shape.
  const { configMapGenerator } = parse(documentedLines("In an overlay of Kubernetes:").join("\n")) as {
    readonly configMapGenerator: readonly SettingsGenerator[];
  };
  const [generator] = configMapGenerator;
  if (generator === undefined) throw new Error("docs/operations.md has no settings of an overlay");
  return generator;
};
