import { type DryRun, DryRunReading } from "@ikg/imports/browser";
import { useEffect, useRef, useState } from "react";
import { identityOf, planOf } from "../preview/use-preview.ts";
import type { ImportWork } from "../work/import-work.ts";

/** Rejected lines that are kept for the download. */
const maxRejected = 10_000;

const shownEveryMs = 200;

export type DryRunState =
  | { readonly status: "running"; readonly share: number }
  | { readonly status: "done"; readonly result: DryRun; readonly identity: string }
  | { readonly status: "failed"; readonly error: unknown };

/** Reads every row, and sends nothing. It ends with the screen. */
export const useDryRun = (work: ImportWork) => {
  const [state, setState] = useState<DryRunState>();
  const aborting = useRef<AbortController>(undefined);
  useEffect(() => () => aborting.current?.abort(), []);
  const start = async (): Promise<void> => {
    aborting.current?.abort();
    const controller = new AbortController();
    aborting.current = controller;
    const identity = identityOf(work);
    const total = Math.max(
      1,
      work.files.reduce((sum, { size }) => sum + size, 0),
    );
    let [bytes, shown] = [0, 0];
    const onBytes = (count: number): void => {
      bytes += count;
      if (Date.now() - shown < shownEveryMs || controller.signal.aborted) return;
      shown = Date.now();
      setState({ status: "running", share: Math.min(1, bytes / total) });
    };
    setState({ status: "running", share: 0 });
    try {
      const reading = new DryRunReading({ rows: 0, faults: maxRejected });
      const result = await reading.read(await planOf(work.files, work.sections), onBytes, controller.signal);
      if (!controller.signal.aborted) setState({ status: "done", result, identity });
    } catch (error) {
      if (!controller.signal.aborted) setState({ status: "failed", error });
    }
  };
  const stop = (): void => {
    aborting.current?.abort();
    setState(undefined);
  };
  return { state, start, stop };
};

export type DryRunner = ReturnType<typeof useDryRun>;
