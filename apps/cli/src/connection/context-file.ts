import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isJsonObject, tryParseJson } from "@ikg/contracts/values";
import { writePrivateFile } from "../output/private-file.ts";
import type { PersonToken } from "../sign-in/request-tokens.ts";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";

/** A deployment with its credentials. */
export interface StoredContext {
  readonly url: string;
  readonly organization?: string | undefined;
  /** Name or gid. */
  readonly project?: string | undefined;
  /** Token of a service account. */
  readonly token?: string | undefined;
  /** Key of an application agent. */
  readonly clientKey?: string | undefined;
  /** Token of the signed-in user. */
  readonly person?: PersonToken | undefined;
}

export interface ContextFile {
  readonly current?: string | undefined;
  readonly contexts: Readonly<Record<string, StoredContext>>;
}

const isTextOrAbsent = (value: unknown): boolean => value === undefined || typeof value === "string";

const isPerson = (value: unknown): boolean =>
  value === undefined ||
  (isJsonObject(value) &&
    ["issuer", "clientId", "tokenEndpoint", "audience", "accessToken"].every(
      (field) => typeof value[field] === "string",
    ) &&
    isTextOrAbsent(value["refreshToken"]) &&
    (value["expires"] === undefined || typeof value["expires"] === "number"));

const isContext = (value: unknown): value is StoredContext =>
  isJsonObject(value) &&
  typeof value["url"] === "string" &&
  URL.canParse(value["url"]) &&
  ["organization", "project", "token", "clientKey"].every((field) => isTextOrAbsent(value[field])) &&
  isPerson(value["person"]);

// Hand-written: loading a validation library would take longer than the rest of the start.
const isContextFile = (value: unknown): value is ContextFile =>
  isJsonObject(value) &&
  isTextOrAbsent(value["current"]) &&
  isJsonObject(value["contexts"]) &&
  Object.values(value["contexts"]).every(isContext);

/** The file of contexts: `IKG_CONTEXTS`, otherwise below `XDG_CONFIG_HOME` or `~/.config`. */
export const contextFilePath = ({ variables }: CommandEnvironment): string =>
  variables["IKG_CONTEXTS"] ??
  join(
    variables["XDG_CONFIG_HOME"] ?? join(variables["HOME"] ?? homedir(), ".config"),
    "ikg",
    "contexts.json",
  );

/** Whether other users of the machine can read a file. Not checked on Windows, which has no file modes. */
const isReadableByOtherUsers = (path: string): boolean =>
  process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0;

/** @throws CommandFault for an invalid file, or one that other users can read. */
export const readContextFile = (environment: CommandEnvironment): ContextFile => {
  const path = contextFilePath(environment);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { contexts: {} };
    throw new CommandFault(`${path} cannot be read: ${(error as Error).message}`);
  }
  if (isReadableByOtherUsers(path))
    throw new CommandFault(
      `${path} contains credentials and is readable by other users; run chmod 600 ${path}`,
    );
  const content = tryParseJson(text);
  if (isContextFile(content)) return content;
  throw new CommandFault(
    `${path} is not a valid context file; repair it, or delete it and use ikg context add`,
  );
};

/** Writes the file atomically, readable only by its owner. @throws CommandFault if it cannot be written. */
export const writeContextFile = (environment: CommandEnvironment, content: ContextFile): void =>
  writePrivateFile(contextFilePath(environment), `${JSON.stringify(content, null, 2)}\n`);
