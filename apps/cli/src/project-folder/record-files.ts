import { resolve } from "node:path";
import { Faults, readSource, type Source } from "@ikg/sources";
import { faultText } from "../checks/fault-text.ts";
import { Files, shownPath } from "../policy-tests/file/files.ts";
import { CommandFault, type Surroundings } from "../surroundings.ts";

/** Files of records that one command reads; what is wrong with any of them is reported together. */
export class RecordFiles {
  readonly faults = new Faults();
  readonly #files: Files;
  readonly #around: Surroundings;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#files = new Files(around.cwd, this.faults);
  }

  /** A file of YAML or JSON, or standard input for "-"; undefined where it cannot be read. */
  async open(path: string): Promise<Source | undefined> {
    const { cwd, readInput } = this.#around;
    if (path === "-") return readSource("standard input", await readInput(), this.faults);
    const file = resolve(cwd, path);
    const place = { file: shownPath(cwd, file), line: 1, column: 1 };
    return (await this.#files.open(file, place))?.source;
  }

  /** @throws CommandFault with each fault, its line and a caret below its place */
  async assertNoFaults(): Promise<void> {
    if (this.faults.none) return;
    const texts = this.faults.list.map((fault) => faultText(fault, this.#around.cwd, (_style, text) => text));
    throw new CommandFault((await Promise.all(texts)).join("").trimEnd());
  }
}
