/** A Java that the embedded Neo4j runs on. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../../launch/run-program.mjs";
import { versions } from "../versions.ts";

export interface Java {
  readonly program: string;
  readonly version: number;
}

/** `openjdk version "17.0.15" 2025-04-15` → 17; `1.8.0_402` → 8. */
export const parseJavaVersion = (output: string): number | undefined => {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(output) ?? [];
  const major = first === "1" ? second : first;
  return major === undefined ? undefined : Number(major);
};

const ask = async (program: string): Promise<Java | undefined> => {
  const { code, tail } = await runProgram(program, ["-version"]);
  const version = code === 0 ? parseJavaVersion(tail.join("\n")) : undefined;
  return version === undefined ? undefined : { program, version };
};

const installed = (folder = "/usr/lib/jvm"): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .map((name) => join(folder, name, "bin", "java"))
        .filter((program) => existsSync(program))
    : [];

/**
 * The first supported one of JAVA_HOME, the path and the distribution's folder; a newer one only when the machine has
 * no other.
 */
export const findJava = async (majors = versions.java): Promise<{ supported?: Java; newer?: Java }> => {
  const home = process.env["JAVA_HOME"];
  let newer: Java | undefined;
  for (const program of [...(home ? [join(home, "bin", "java")] : []), "java", ...installed()]) {
    const java = await ask(program);
    if (!java) continue;
    if (majors.includes(java.version)) return { supported: java };
    if (java.version > Math.min(...majors)) newer ??= java;
  }
  return newer ? { newer } : {};
};
