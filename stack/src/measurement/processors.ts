/** The processor time of this machine, of all processes. */
import { cpus } from "node:os";

const readTimes = () => {
  const times = cpus().map((cpu) => cpu.times);
  const sum = (of: (each: (typeof times)[number]) => number): number =>
    times.reduce((total, each) => total + of(each), 0);
  return {
    all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
    idle: sum(({ idle }) => idle),
  };
};

/** @returns the processor time in use since this call, as a share of all of it; 0 to 1 */
export const measureProcessors = (): (() => number) => {
  const start = readTimes();
  return () => {
    const end = readTimes();
    return 1 - (end.idle - start.idle) / Math.max(1, end.all - start.all);
  };
};
