import { startServiceProcess } from "../../../stack/src/testing/servers/service-process.ts";

/** The capture service as a process of a test's own. */
export interface CaptureProcess {
  readonly url: string;
  output(): string;
  /** Resident memory in MiB: now, and its peak. */
  memory(): { readonly now: number; readonly peak: number };
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts the service with these variables and waits until it is ready. */
export const startCaptureProcess = async (
  variables: Readonly<Record<string, string>>,
): Promise<CaptureProcess> => {
  const { url, running } = await startServiceProcess("capture", variables);
  return {
    url,
    output: () => running.output(),
    memory: () => ({
      now: Math.round(running.residentMb()),
      peak: Math.round(running.residentMb("VmHWM")),
    }),
    end: (signal) => running.end(signal),
  };
};
