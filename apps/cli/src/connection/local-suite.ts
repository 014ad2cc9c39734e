import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";
import type { StoredContext } from "./context-file.ts";

/** Name of the context of a local suite. */
export const localName = "local";

/** The suite started by `npm start` (`environment.json` in `IKG_HOME`), as a context. */
export interface LocalSuite {
  readonly file: string;
  readonly context: StoredContext;
}

const environmentFile = ({ variables, cwd }: CommandEnvironment): string | undefined => {
  const named = variables["IKG_ENVIRONMENT"];
  if (named !== undefined) {
    if (existsSync(resolve(cwd, named))) return resolve(cwd, named);
    throw new CommandFault(`IKG_ENVIRONMENT: ${named} does not exist`);
  }
  const home = variables["IKG_HOME"];
  if (home !== undefined) {
    const file = resolve(cwd, home, "environment.json");
    return existsSync(file) ? file : undefined;
  }
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, ".ikg", "environment.json");
    if (existsSync(file)) return file;
    if (dirname(folder) === folder) return undefined;
  }
};

const jsonOf = (file: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

const stringOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Undefined if the file is not the `environment.json` of a suite. */
export const tryReadEnvironmentFile = (file: string): StoredContext | undefined => {
  const written = jsonOf(file);
  const url = stringOf(written?.["base_url"]);
  if (written === undefined || url === undefined || !URL.canParse(url)) return undefined;
  return {
    url,
    organization: stringOf(written["organization_id"]),
    token: stringOf(written["service_account_token"]),
  };
};

/** @throws CommandFault if the file is not the `environment.json` of a suite. */
export const readEnvironmentFile = (file: string): StoredContext => {
  const context = tryReadEnvironmentFile(file);
  if (context === undefined) throw new CommandFault(`${file} is not a valid environment.json of a suite`);
  return context;
};

/** Undefined if no suite was started in this folder or a parent folder. */
export const localSuite = (environment: CommandEnvironment): LocalSuite | undefined => {
  const file = environmentFile(environment);
  if (file === undefined) return undefined;
  const demo = jsonOf(join(dirname(file), "demo", "credential.json")) ?? {};
  return {
    file,
    context: {
      ...readEnvironmentFile(file),
      project: stringOf(demo["project_id"]),
      clientKey: stringOf(demo["api_key"]),
    },
  };
};
