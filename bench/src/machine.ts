/** On what is measured; asked before the measurement, so that its own load does not count. */
import { createRequire } from "node:module";
import { cpus, loadavg, totalmem } from "node:os";
import type { Driver } from "neo4j-driver";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  readonly neo4j: string;
  readonly driver: string;
  /** processes that wanted to run, on average over the minute before: above `cores`, the figures suffer */
  readonly load: number;
  /** day of the run, UTC */
  readonly date: string;
}

const versionOf = (name: string): string => {
  // A package's own description, which always has a version.
  const { version } = createRequire(import.meta.url)(`${name}/package.json`) as { version: string };
  return version;
};

export const machineOf = async (driver: Driver): Promise<Machine> => {
  const { records } = await driver.executeQuery(
    "CALL dbms.components() YIELD name, versions, edition WHERE name = 'Neo4j Kernel' RETURN versions[0] AS v, edition",
    {},
    { database: "neo4j" },
  );
  const [record] = records;
  return {
    cpu: cpus()[0]?.model.trim() || "unknown processor",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    neo4j: `${String(record?.get("v"))} ${String(record?.get("edition"))}`,
    driver: versionOf("neo4j-driver"),
    load: loadavg()[0] ?? 0,
    date: new Date().toISOString().slice(0, 10),
  };
};
