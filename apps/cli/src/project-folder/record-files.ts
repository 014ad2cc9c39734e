import { resolve } from "node:path";
import { DiagnosticList, type Source } from "@ikg/sources";
import { diagnosticText } from "../checks/diagnostic-text.ts";
import { Files, shownPath } from "../policy-tests/file/files.ts";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";

/** Reads the record files of a command, and collects their errors. */
export class RecordFiles {
  readonly faults = new DiagnosticList();
  readonly #files: Files;
  readonly #environment: CommandEnvironment;

  constructor(environment: CommandEnvironment) {
    this.#environment = environment;
    this.#files = new Files(environment.cwd, this.faults);
  }

  /** Reads a YAML or JSON file, or standard input for "-"; undefined for an invalid file. */
  async open(path: string): Promise<Source | undefined> {
    const { cwd, readInput } = this.#environment;
    if (path === "-") return this.#files.parse("standard input", await readInput());
    const file = resolve(cwd, path);
    const place = { file: shownPath(cwd, file), line: 1, column: 1 };
    return (await this.#files.open(file, place))?.source;
  }

  /** @throws CommandFault with each error, its source line and a caret */
  async assertNoFaults(): Promise<void> {
    if (this.faults.isEmpty) return;
    const texts = this.faults.list.map((fault) =>
      diagnosticText(fault, this.#environment.cwd, (_style, text) => text),
    );
    throw new CommandFault((await Promise.all(texts)).join("").trimEnd());
  }
}
