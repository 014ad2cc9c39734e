/** Memory of the access process while it simulates for many subjects. */
import type { Drive } from "../drive/drive.ts";
import { countText, type Line } from "../targets.ts";
import { mostOf, watchMemory } from "../memory.ts";
import type { Target } from "../settings.ts";
import { manySubjects } from "./changes.ts";
import { targets } from "./plan.ts";
import { simulate } from "./simulate.ts";

export const measureMemory = async (target: Target, projectId: string, drive: Drive): Promise<Line> => {
  const subjects = drive.folderOfDocument.length;
  const { result, samples } = await watchMemory(target, ["access"], () =>
    simulate(target, projectId, manySubjects, 120_000),
  );
  const { count, exact } = result.answer.questions[0]?.gained ?? {};
  if (!exact || count !== subjects) throw new Error(`${subjects} pairs are gained, not ${count}`);
  const before = samples[0]?.resident.access ?? 0;
  const more = mostOf(samples, "access") - before;
  return {
    what: `memory of access, ${countText(subjects)} subjects`,
    figure: `+ ${more.toFixed(0)} MB`,
    ratio: "",
    target: `at most + ${targets.memoryMb} MB`,
    met: more <= targets.memoryMb,
    baseline: `before: ${before.toFixed(0)} MB`,
  };
};
