import {
  type Batch,
  type ExportFile,
  type ExportText,
  type FailedCheck,
  type ChainVerification,
  verifyExport,
} from "@ikg/audit/verification";
import { paced } from "./pace.ts";

/** The first link of a chain that is broken. */
export interface BrokenLink {
  readonly check: FailedCheck;
  /** The batch at that place, where there is one. */
  readonly batch: Batch | undefined;
}

/** A line of a file that is not as an export writes it. */
export interface BrokenLine {
  readonly check: FailedCheck;
  readonly text: string;
}

/** How far a verification has come, and what it has found until then. */
export interface Verification {
  readonly status: "running" | "done" | "stopped" | "failed";
  /** What is being read; undefined before the first line. */
  readonly step: ExportFile | undefined;
  /** Lines that were verified. */
  readonly lines: Readonly<Record<ExportFile, number>>;
  readonly records: number;
  /** Checks that failed: the first of them, and how many there are. */
  readonly failed: readonly FailedCheck[];
  readonly failures: number;
  readonly link: BrokenLink | undefined;
  readonly line: BrokenLine | undefined;
  /** The sum, once it has come to its end. */
  readonly verified?: ChainVerification;
  /** Why it could not come to its end. */
  readonly error?: unknown;
}

export interface RunOptions {
  readonly partial: boolean;
  readonly signal: AbortSignal;
  /** Called with each state, at last with one that is not running. */
  readonly onState: (state: Verification) => void;
}

const shownMs = 100;
const maxShownOfLine = 2_000;
const maxShownChecks = 1_000;

const placeOf = ({ sequence }: FailedCheck): number => sequence ?? Number.POSITIVE_INFINITY;

/** Collects what a verification finds; the earliest place in the chain counts as where it is broken. */
class Findings {
  readonly lines = { keys: 0, manifests: 0, batches: 0, checkpoints: 0 };
  step: ExportFile | undefined;
  text = "";
  #records = 0;
  #failed: readonly FailedCheck[] = [];
  #failures = 0;
  #link: BrokenLink | undefined;
  #line: BrokenLine | undefined;

  readonly onFailed = (check: FailedCheck): void => {
    this.#failures += 1;
    if (this.#failures <= maxShownChecks) this.#failed = [...this.#failed, check];
    if (check.record.startsWith("line ")) this.#line ??= { check, text: this.text.slice(0, maxShownOfLine) };
    else if (this.#link === undefined || placeOf(check) < placeOf(this.#link.check))
      this.#link = { check, batch: undefined };
  };

  /** Batches come in the order of the chain: one that is broken is known to be by now, unless it is missing. */
  readonly onBatch = (batch: Batch): void => {
    this.#records += batch.data.length;
    if (
      this.#link !== undefined &&
      this.#link.batch === undefined &&
      this.#link.check.sequence === batch.sequence
    )
      this.#link = { ...this.#link, batch };
  };

  state(status: Verification["status"], more: Pick<Verification, "verified" | "error"> = {}): Verification {
    const { step, lines } = this;
    return {
      status,
      step,
      lines: { ...lines },
      records: this.#records,
      failed: this.#failed,
      failures: this.#failures,
      link: this.#link,
      line: this.#line,
      ...more,
    };
  }
}

/** Verifies a chain by the procedure of docs/audit.md, with pauses for the page. It never throws. */
export const runVerification = async (
  text: ExportText,
  { partial, signal, onState }: RunOptions,
): Promise<void> => {
  const findings = new Findings();
  const show = (): void => onState(findings.state("running"));
  // Also while nothing comes: what was done last is shown.
  const timer = setInterval(show, shownMs);
  const withProgress = async function* (file: ExportFile): AsyncGenerator<string> {
    for await (const line of paced(text(file), signal)) {
      findings.step = file;
      findings.text = line;
      yield line;
      findings.lines[file] += 1;
    }
  };
  show();
  try {
    const { onFailed, onBatch } = findings;
    const verified = await verifyExport(withProgress, { partial, onFailed, onBatch });
    onState(findings.state("done", { verified }));
  } catch (error) {
    onState(signal.aborted ? findings.state("stopped") : findings.state("failed", { error }));
  } finally {
    clearInterval(timer);
  }
};
