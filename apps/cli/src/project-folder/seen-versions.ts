import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { readState, stateFolder, writeState } from "../state-files.ts";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";
import type { RecordVersion, Versions } from "./versions.ts";

/** A command that shows the records of a project. */
export type SeeingCommand = "pull" | "plan" | "apply";

/** The versions of records that a command has last shown. */
export interface Seen {
  readonly command: SeeingCommand;
  readonly versions: Versions;
}

interface Stored {
  readonly command: SeeingCommand;
  readonly versions: readonly (readonly [key: string, version: RecordVersion | null])[];
}

/** A project that a folder is compared with. */
export interface ComparedProject {
  readonly url: string;
  readonly projectId: string;
  readonly folder: string;
}

/** Stores the versions that commands have shown, for one folder and one project. */
export class SeenVersions {
  readonly #path: string;
  readonly #environment: CommandEnvironment;

  constructor({ url, projectId, folder }: ComparedProject, environment: CommandEnvironment) {
    const identity = JSON.stringify([url.replace(/\/+$/, ""), projectId, resolve(environment.cwd, folder)]);
    const name = createHash("sha256").update(identity).digest("hex").slice(0, 32);
    this.#path = join(stateFolder(environment, "folders"), `${name}.json`);
    this.#environment = environment;
  }

  /** Undefined if no command has shown the project in this folder. */
  read(): Seen | undefined {
    const stored = readState(this.#path) as Stored | undefined; // written by `write`
    return stored && { command: stored.command, versions: new Map(stored.versions) };
  }

  /** A failure is only a warning, because the command itself succeeded. */
  write(command: SeeingCommand, versions: Versions | undefined): void {
    if (versions === undefined) return;
    const entries = [...versions].map(
      ([key, each]) =>
        [key, each && { version: each.version, ...(each.etag && { etag: each.etag }) }] as const,
    );
    const stored: Stored = { command, versions: entries };
    try {
      writeState(this.#path, stored);
    } catch (error) {
      if (!(error instanceof CommandFault)) throw error;
      this.#environment.error(
        `warning: the versions shown here cannot be stored for ikg apply: ${error.message}\n`,
      );
    }
  }
}
