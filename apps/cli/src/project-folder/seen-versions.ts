import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { readState, stateFolder, writeState } from "../state-files.ts";
import { CommandFault, type Surroundings } from "../surroundings.ts";
import type { RecordVersion, Versions } from "./versions.ts";

/** A command that has shown what the records of a project are. */
export type SeeingCommand = "pull" | "plan" | "apply";

/** What the records of a project were when a command last showed them. */
export interface Seen {
  readonly command: SeeingCommand;
  readonly versions: Versions;
}

interface Stored {
  readonly command: SeeingCommand;
  readonly versions: readonly (readonly [key: string, version: RecordVersion | null])[];
}

/** The project that a folder is compared with. */
export interface ComparedProject {
  readonly url: string;
  readonly projectId: string;
  readonly folder: string;
}

/** Remembers versions from one command to the next, for one folder and one project. */
export class SeenVersions {
  readonly #path: string;
  readonly #around: Surroundings;

  constructor({ url, projectId, folder }: ComparedProject, around: Surroundings) {
    const identity = JSON.stringify([url.replace(/\/+$/, ""), projectId, resolve(around.cwd, folder)]);
    const name = createHash("sha256").update(identity).digest("hex").slice(0, 32);
    this.#path = join(stateFolder(around, "folders"), `${name}.json`);
    this.#around = around;
  }

  /** Undefined where no command has shown the project in this folder. */
  read(): Seen | undefined {
    const stored = readState(this.#path) as Stored | undefined; // what `write` wrote
    return stored && { command: stored.command, versions: new Map(stored.versions) };
  }

  /** A failure is a warning: the command has done its work. */
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
      this.#around.error(`warning: ikg apply will not know what was seen here: ${error.message}\n`);
    }
  }
}
