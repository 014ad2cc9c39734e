/** Resident memory of each service: after its start, and while 64 callers ask it something. */
import { type ServiceName, serviceNames } from "@ikg/contracts";
import { mostOf, watchMemory } from "../memory.ts";
import { say } from "../../../stack/launch/progress.mjs";
import type { Target } from "../settings.ts";
import { withLoads } from "./loads.ts";
import { plan } from "./plan.ts";

export type Memory = Readonly<Record<ServiceName, number>>;

/** Megabytes. Scorer and audit have no callers: what they do under load is the loads' work, kept in records. */
export const measureMemory = async (
  target: Target,
  created: (projectId: string) => void,
): Promise<{ readonly idle: Memory; readonly busy: Memory }> => {
  const of = (samples: Parameters<typeof mostOf<ServiceName>>[0]): Memory =>
    Object.fromEntries(serviceNames.map((service) => [service, mostOf(samples, service)])) as Memory; // every one
  const { samples } = await watchMemory(target, serviceNames, async () => undefined);
  const idle = of(samples);
  const watched = await watchMemory(target, serviceNames, () =>
    withLoads(target, created, async (loads) => {
      for (const { busy, run } of loads) {
        await run(plan.loadMs);
        say(`memory: ${plan.callers} callers of ${busy.join(" and ")}`);
      }
    }),
  );
  return { idle, busy: of(watched.samples) };
};
