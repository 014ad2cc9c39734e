import type { Checked } from "../json.ts";
import type { WarningOptions } from "./context.ts";
import type { Warning } from "./warning.ts";

/** A check whose success also offers warnings for the author, computed on demand. */
export type CheckWithWarnings<T> =
  | {
      readonly ok: true;
      readonly value: T;
      warnings(options?: WarningOptions): readonly Warning[];
    }
  | { readonly ok: false; readonly faults: readonly string[] };

export const withWarnings = <T>(
  checked: Checked<T>,
  advise: (value: T, options?: WarningOptions) => readonly Warning[],
): CheckWithWarnings<T> =>
  checked.ok
    ? { ok: true, value: checked.value, warnings: (options) => advise(checked.value, options) }
    : checked;
