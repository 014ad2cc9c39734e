import { totalmem } from "node:os";
import { collectDefaultMetrics, Gauge, type Registry } from "prom-client";

/** Memory limit of the container, or memory of the machine: without a limit Node returns 0 or a number beyond all memory. */
const memoryLimit = (): number => Math.min(process.constrainedMemory() || Infinity, totalmem());

/** Memory, processor time and event loop of this process. */
export const measureProcess = (registry: Registry): void => {
  collectDefaultMetrics({ register: registry });
  const limit = new Gauge({
    name: "process_memory_limit_bytes",
    help: "Memory that the process may use: the limit of its container, otherwise that of the machine.",
    registers: [],
  });
  limit.set(memoryLimit());
  registry.registerMetric(limit);
};
