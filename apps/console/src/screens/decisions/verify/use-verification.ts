import { useEffect, useRef, useState } from "react";
import { useAdmin } from "../../../session/use-admin.ts";
import type { ChosenFiles } from "./export-files.ts";
import { fileLines } from "./file-lines.ts";
import { runVerification, type Verification } from "./run-verification.ts";
import { serviceLines } from "./service-lines.ts";

export interface VerificationRun {
  readonly state: Verification;
  /** Manifests that were read from the service before the first line. */
  readonly read: number;
  /** What was verified: files, or the chain of the service. */
  readonly files: ChosenFiles | undefined;
  readonly isPartial: boolean;
}

/** Verifies the chain of a project, or files of an export, on request; leaving the page stops it. */
export const useVerification = (projectId: string) => {
  const admin = useAdmin(projectId);
  const [run, setRun] = useState<VerificationRun>();
  const running = useRef<AbortController>(undefined);
  const stop = (): void => running.current?.abort();
  useEffect(() => () => running.current?.abort(), []);
  const start = (files: ChosenFiles | undefined, isPartial: boolean): void => {
    stop();
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    let read = 0;
    const service = (last?: number) => serviceLines(admin, { signal, last, onRead: () => (read += 1) });
    void runVerification(files === undefined ? service() : fileLines(files, service), {
      partial: isPartial,
      signal,
      onState: (state) => {
        if (running.current === controller) setRun({ state, read, files, isPartial });
      },
    });
  };
  return { run, start, stop };
};
