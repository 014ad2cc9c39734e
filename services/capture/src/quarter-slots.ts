import { openProjectSlots, type ProjectSlots } from "@ikg/service";

/** How refusals name what the slots are for. */
export interface SlotNames {
  readonly place: string;
  readonly things: string;
  readonly setting: string;
}

/** Slots for long requests. @param total in all; a project has a quarter of them at most. */
export const openQuarterSlots = (total: number, { place, things, setting }: SlotNames): ProjectSlots =>
  openProjectSlots({
    total,
    perProject: Math.max(1, Math.floor(total / 4)),
    errors: {
      ofProject: (taken) =>
        `${place}: ${taken} ${things} of the project are under way here (a quarter of the setting ${setting}, ${total})`,
      ofAll: (taken) => `${place}: ${taken} ${things} are under way here (setting ${setting}, ${total})`,
    },
  });
