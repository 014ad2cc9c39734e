/** IKG_HOME: data, logs and secrets of one suite. */
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

export interface Home {
  readonly root: string;
  readonly logs: string;
  readonly run: string;
  readonly neo4j: string;
  readonly redis: string;
  readonly secretsFile: string;
  readonly environmentFile: string;
  readonly bootstrapFile: string;
  readonly claimFile: string;
}

/** Makes the folders, readable by their owner only. */
export const openHome = (path: string): Home => {
  const root = resolve(path);
  const home: Home = {
    root,
    logs: join(root, "logs"),
    run: join(root, "run"),
    neo4j: join(root, "neo4j"),
    redis: join(root, "redis"),
    secretsFile: join(root, "secrets.json"),
    environmentFile: join(root, "environment.json"),
    bootstrapFile: join(root, "bootstrap.json"),
    claimFile: join(root, "run", "suite.json"),
  };
  mkdirSync(root, { recursive: true, mode: 0o700 });
  for (const folder of [home.logs, home.run]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return home;
};

/** Writes a file of mode 600 that exists whole or not at all. */
export const writePrivate = (file: string, content: unknown): void => {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
};

/** Removes data and secrets, which belong together (the passwords are in the data); logs stay. */
export const emptyHome = (home: Home): void => {
  for (const path of [home.neo4j, home.redis, home.secretsFile, home.environmentFile, home.bootstrapFile])
    rmSync(path, { recursive: true, force: true });
};

/** A path as a person would type it from here. */
export const shortPath = (path: string): string => {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") || short === "" ? path : short;
};
