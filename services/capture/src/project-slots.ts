import { Problem } from "@ikg/contracts";

/** Long requests under way in this process. */
export interface ProjectSlots {
  /**
   * Takes a slot.
   *
   * @returns what gives it back.
   * @throws Problem `too_many_requests` (429) when the project has its share, `unavailable` (503) when none is free.
   */
  take(project: string): () => void;
}

/** How refusals name what the slots are for. */
export interface SlotNames {
  readonly place: string;
  readonly things: string;
  readonly setting: string;
}

/** @param slots in all; a project has a quarter of them at most. */
export const openProjectSlots = (slots: number, { place, things, setting }: SlotNames): ProjectSlots => {
  const share = Math.max(1, Math.floor(slots / 4));
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take: (project) => {
      const own = taken.get(project) ?? 0;
      const headers = { "Retry-After": "5" };
      if (own >= share)
        throw new Problem("too_many_requests", {
          errors: [
            `${place}: ${own} ${things} of the project are under way here (a quarter of the setting ${setting}, ${slots})`,
          ],
          headers,
        });
      if (all >= slots)
        throw new Problem("unavailable", {
          errors: [`${place}: ${all} ${things} are under way here (setting ${setting}, ${slots})`],
          headers,
        });
      all += 1;
      taken.set(project, own + 1);
      return () => {
        all -= 1;
        const left = (taken.get(project) ?? 1) - 1;
        if (left === 0) taken.delete(project);
        else taken.set(project, left);
      };
    },
  };
};
