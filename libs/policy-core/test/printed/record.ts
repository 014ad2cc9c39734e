import { readFileSync, writeFileSync } from "node:fs";

/**
 * A file of recorded texts by name. `UPDATE_PRINTED=1` records anew what the run printed, after a look at why it
 * changed; a run of some cases leaves the others as they are.
 */
export class PrintedRecord<Texts> {
  readonly updates = process.env["UPDATE_PRINTED"] === "1";
  readonly #file: URL;
  readonly #cases: readonly string[];
  readonly #printed: Record<string, Texts> = {};
  readonly recorded: Readonly<Record<string, Texts>>;

  constructor(file: URL, cases: readonly string[]) {
    this.#file = file;
    this.#cases = cases;
    this.recorded = JSON.parse(readFileSync(file, "utf8")) as Record<string, Texts>; // as `write` wrote it
  }

  add(name: string, texts: Texts): void {
    this.#printed[name] = texts;
  }

  /** Cases without a record, and records without a case. */
  get unmatched(): readonly string[] {
    const names = new Set(this.#cases);
    return [
      ...this.#cases.filter((name) => !Object.hasOwn(this.recorded, name)),
      ...Object.keys(this.recorded).filter((name) => !names.has(name)),
    ];
  }

  /** Writes what was printed into the file, and drops records without a case. */
  write(): void {
    if (!this.updates) return;
    const names = new Set(this.#cases);
    const kept = Object.entries({ ...this.recorded, ...this.#printed }).filter(([name]) => names.has(name));
    writeFileSync(this.#file, `${JSON.stringify(Object.fromEntries(kept), null, 1)}\n`);
  }
}
