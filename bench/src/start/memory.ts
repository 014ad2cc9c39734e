/** Resident memory of each service: after its start, and while 64 callers ask it something. */
import { mostOf, watchMemory } from "../memory.ts";
import { say } from "../say.ts";
import type { Target } from "../settings.ts";
import { withLoads } from "./loads.ts";
import { plan, type Service, services } from "./plan.ts";

export type Memory = Readonly<Record<Service, number>>;

/** Megabytes. Scorer and audit have no callers: what they do under load is the loads' work, kept in records. */
export const measureMemory = async (
  target: Target,
  created: (projectId: string) => void,
): Promise<{ readonly idle: Memory; readonly busy: Memory }> => {
  const of = (samples: Parameters<typeof mostOf<Service>>[0]): Memory =>
    Object.fromEntries(services.map((service) => [service, mostOf(samples, service)])) as Memory; // every one
  const { samples } = await watchMemory(target, services, async () => undefined);
  const idle = of(samples);
  const watched = await watchMemory(target, services, () =>
    withLoads(target, created, async (loads) => {
      for (const { busy, run } of loads) {
        await run(plan.loadMs);
        say(`memory: ${plan.callers} callers of ${busy.join(" and ")}`);
      }
    }),
  );
  return { idle, busy: of(watched.samples) };
};
