/** The one place that says which versions the embedded suite runs. */
import { readFileSync } from "node:fs";

export interface Versions {
  readonly node: string;
  readonly pnpm: string;
  readonly neo4j: string;
  /** how many jars this version of Neo4j consists of */
  readonly neo4jJars: number;
  readonly mavenDependencyPlugin: string;
  /** major versions of Java that this version of Neo4j supports, the preferred one first */
  readonly java: readonly number[];
}

// A file of this package, held to this shape by versions.test.ts.
export const versions = JSON.parse(
  readFileSync(new URL("../versions.json", import.meta.url), "utf8"),
) as Versions;
