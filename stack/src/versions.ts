/** The versions that the embedded suite runs. */
import { readFileSync } from "node:fs";

/** A release of Neo4j and what it needs. */
export interface Neo4jRelease {
  readonly neo4j: string;
  /** how many jars this version of Neo4j consists of */
  readonly neo4jJars: number;
  /** major versions of Java that this version of Neo4j supports, the preferred one first */
  readonly java: readonly number[];
}

/** A release of Helm, with the npm package that carries it and a kubectl, and their checksums. */
export interface HelmRelease {
  readonly version: string;
  readonly package: string;
  readonly sha256: { readonly helm: string; readonly kubectl: string };
}

/** The release itself is the long-term one, which the suite runs. */
export interface Versions extends Neo4jRelease {
  readonly node: string;
  readonly pnpm: string;
  readonly mavenDependencyPlugin: string;
  /** On which the published packages are tried, besides the Node of the suite. */
  readonly platforms: { readonly node: readonly string[]; readonly bun: string; readonly deno: string };
  /** The current release of the calendar line, on which the statements are tried too. */
  readonly calendar: Neo4jRelease;
  /** With which the chart is tried: the current major version first. */
  readonly helm: readonly HelmRelease[];
}

// A file of this package, of this shape.
export const versions = JSON.parse(
  readFileSync(new URL("../versions.json", import.meta.url), "utf8"),
) as Versions;
