/** What the embedded parts need on this machine: found, else installed. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { Interrupted } from "../command.ts";
import { UserError } from "../../launch/user-error.mjs";
import { aptInstall, findRootPrefix } from "./apt.ts";
import { hasJars, prepareJars } from "./jars.ts";
import type { Java } from "./java.ts";
import { findJava } from "./java.ts";
import type { Neo4jRelease } from "../versions.ts";
import { versions } from "../versions.ts";

export interface Needs {
  readonly neo4j: boolean;
  readonly redis: boolean;
}

export interface Prepared {
  /** undefined when no embedded Neo4j is wanted */
  readonly java: Java | undefined;
}

/** Distributions keep servers in `sbin`, which is not in the path of every user. */
const searchPath = (): string[] => [
  ...(process.env["PATH"] ?? "").split(delimiter),
  "/usr/sbin",
  "/usr/local/sbin",
];

export const hasProgram = (name: string, folders = searchPath()): boolean =>
  folders.some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

const packages = {
  java: { what: "Java 17 or 21", packages: ["openjdk-21-jre-headless", "openjdk-17-jre-headless"] },
  maven: { what: "Maven", packages: ["maven"] },
  redis: { what: "redis-server", packages: ["redis-server"] },
} as const;

/** A Java that is newer than the supported ones is used only where no supported one can be installed. */
const missingParts = async (needs: Needs) => {
  const java = needs.neo4j ? await findJava() : {};
  const missing = [];
  if (needs.neo4j && !java.supported && !(java.newer && (await findRootPrefix()) === undefined))
    missing.push(packages.java);
  if (needs.neo4j && !hasJars(versions) && !hasProgram("mvn")) missing.push(packages.maven);
  if (needs.redis && !hasProgram("redis-server")) missing.push(packages.redis);
  return { java: java.supported ?? java.newer, missing };
};

/**
 * @throws UserError with one line on the remedy when something is missing and cannot be installed
 */
export const prepareMachine = async (needs: Needs, signal: AbortSignal): Promise<Prepared> => {
  try {
    const found = await missingParts(needs);
    let { java } = found;
    if (found.missing.length > 0) {
      await aptInstall(found.missing, signal);
      if (needs.neo4j) java = (await findJava()).supported ?? java;
    }
    if (needs.neo4j && !java)
      throw new UserError("Java was installed and cannot be found; set JAVA_HOME to it.");
    if (needs.neo4j && !hasJars(versions)) await prepareJars(versions, signal);
    return { java };
  } catch (error) {
    if (signal.aborted) throw new Interrupted();
    throw error;
  }
};

/**
 * The Java for a release that only tests want: nothing is installed for it, its jars are fetched.
 *
 * @returns undefined where this machine has no Java that fits
 * @throws UserError when the jars are not available
 */
export const prepareExtra = async (release: Neo4jRelease, signal: AbortSignal): Promise<Java | undefined> => {
  const { supported } = await findJava(release.java);
  if (!supported) return undefined;
  if (!hasJars(release)) await prepareJars(release, signal);
  return supported;
};
