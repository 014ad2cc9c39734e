/** The outcome of a check: the checked value, or every fault found, each beginning with the place in the text. */
export type Checked<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: readonly string[] };

/** Collects the faults of one stage, so that an author sees them all at once. */
export class Faults {
  readonly list: string[] = [];

  add(path: string, reason: string): void {
    this.list.push(`${path}: ${reason}`);
  }

  get none(): boolean {
    return this.list.length === 0;
  }

  /** Failure with what was collected; only called when something was. */
  failure(): { readonly ok: false; readonly faults: readonly string[] } {
    return { ok: false, faults: this.list };
  }
}

export const success = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
