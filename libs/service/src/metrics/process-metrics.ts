import { totalmem } from "node:os";
import { collectDefaultMetrics, Gauge, type Registry } from "prom-client";

/** Of a container its limit; without one Node says a number that no machine has, or none. */
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
