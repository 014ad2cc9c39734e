import type { CommandEnvironment } from "./command-environment.ts";

/** Progress of a command, shown on a terminal only. */
export interface Progress {
  add(amount: number): void;
  end(): void;
}

const width = 30;
const everyMs = 100;

/** @param total undefined if unknown. */
export const showProgress = (
  { isTerminal, error }: CommandEnvironment,
  label: string,
  total: number | undefined,
): Progress => {
  let done = 0;
  let shown = 0;
  const draw = (): void => {
    if (total === undefined) {
      error(`\r${label} ${done}`);
      return;
    }
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const bar = "#".repeat(Math.round(share * width)).padEnd(width, ".");
    error(`\r${label} [${bar}] ${Math.floor(share * 100)} %`);
  };
  return {
    add: (amount) => {
      done += amount;
      const now = Date.now();
      if (!isTerminal || now - shown < everyMs) return;
      shown = now;
      draw();
    },
    end: () => {
      if (!isTerminal) return;
      draw();
      error("\n");
    },
  };
};
