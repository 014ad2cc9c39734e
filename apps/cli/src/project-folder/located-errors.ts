import type { AppliedChanges, ChangeSetEntry } from "@ikg/client";
import type { Warning } from "@ikg/policy-core/warnings";
import { type Diagnostic, formatDiagnostic } from "@ikg/sources";
import { diagnosticText } from "../checks/diagnostic-text.ts";
import { warningMessage, warningPlace } from "../checks/warning.ts";
import { shownCell } from "../output/cell.ts";
import { CommandFault, type CommandEnvironment } from "../command-environment.ts";
import { placeInRecord, type WrittenRecord } from "./written-record.ts";

/** Changes, with their positions in files. */
export interface WrittenChanges {
  readonly changes: readonly ChangeSetEntry[];
  /** Undefined for a change without a file: the deletion of a record. */
  readonly written: readonly (WrittenRecord | undefined)[];
}

/** A message about one change, with its position in a file or the name of its record. */
interface Located {
  readonly fault: Diagnostic | undefined;
  readonly text: string;
}

const locate = ({ changes, written }: WrittenChanges, change: number, message: string): Located => {
  const record = written[change];
  if (record !== undefined) {
    const fault = { ...placeInRecord(record, message), message };
    return { fault, text: formatDiagnostic(fault) };
  }
  const { collection, name } = changes[change] ?? {};
  return { fault: undefined, text: name === undefined ? message : `${collection} ${name}: ${message}` };
};

const errorsOf = (error: unknown): readonly string[] =>
  error instanceof Error && "errors" in error && Array.isArray(error.errors)
    ? (error.errors as string[]) // of a response
    : [];

/**
 * Sends changes to the suite.
 *
 * @throws CommandFault with the positions of errors in files, instead of `changes[0]`.
 */
export const withLocatedErrors = async <T>(
  from: WrittenChanges,
  { cwd }: CommandEnvironment,
  call: () => Promise<T>,
): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    const errors = errorsOf(error);
    const found = errors.map((each) => /^changes\[(\d+)\]\.(.*)$/s.exec(each));
    if (!found.some((each) => each !== null)) throw error;
    const texts = found.map(async (each, at) => {
      if (each === null) return `${errors[at] ?? ""}\n`;
      const { fault, text } = locate(from, Number(each[1]), each[2] ?? "");
      return fault === undefined ? `${text}\n` : diagnosticText(fault, cwd, (_style, plain) => plain);
    });
    throw new CommandFault((await Promise.all(texts)).join("").trimEnd());
  }
};

/** A warning with its position, on one line. */
const warningText = (from: WrittenChanges, change: number, warning: Warning): string => {
  const message = warningMessage(warning);
  const record = from.written[change];
  if (record === undefined) return locate(from, change, message).text;
  return formatDiagnostic({ ...placeInRecord(record, warningPlace(warning)), message });
};

/** Prints the warnings of the suite about changes. */
export const showWarnings = (
  from: WrittenChanges,
  warnings: AppliedChanges["warnings"],
  { error }: CommandEnvironment,
): void => {
  for (const each of warnings) {
    const warning = each as unknown as Warning; // in the format of the policy language
    error(`warning: ${shownCell(warningText(from, each.change, warning))}\n`);
  }
};
