import { startServiceProcess } from "../../../e2e/src/service-process.ts";

/** A configs process of a test's own. */
export interface OtherProcess {
  readonly url: string;
  /** Everything that it has written so far, to either stream. */
  output(): string;
  close(): Promise<void>;
}

/** Starts the service as its own process and waits until it is ready. */
export const startOtherProcess = async (
  environment: Readonly<Record<string, string>>,
): Promise<OtherProcess> => {
  const { url, running } = await startServiceProcess("configs", environment);
  return { url, output: () => running.output(), close: () => running.end() };
};
