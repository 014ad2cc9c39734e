import type { AuditRecord } from "@ikg/client";
import { useEffect, useRef, useState } from "react";
import { useAdmin } from "../../../session/use-admin.ts";
import { type ReplayState, runReplay } from "./replay-run.ts";

/** Replays records on request; leaving the page stops it. */
export const useReplay = (projectId: string) => {
  const admin = useAdmin(projectId);
  const [state, setState] = useState<ReplayState>();
  const running = useRef<AbortController>(undefined);
  const stop = (): void => running.current?.abort();
  useEffect(() => () => running.current?.abort(), []);
  const start = (records: readonly AuditRecord[]): void => {
    stop();
    const controller = new AbortController();
    running.current = controller;
    void runReplay(admin, records, controller.signal, (next) => {
      // The progress of a replaced replay is ignored.
      if (running.current === controller) setState(next);
    });
  };
  return { state, start, stop };
};
