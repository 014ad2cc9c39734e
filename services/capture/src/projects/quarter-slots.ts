import { openProjectSlots, type ProjectSlots } from "@ikg/service";

/** The names that refusals use: where the error is, what the slots are for, and the setting that limits them. */
export interface SlotNames {
  readonly place: string;
  readonly things: string;
  readonly setting: string;
}

const parts = { project: "a quarter", organization: "three quarters" };

/** Slots for long requests. @param total in all; a project has a quarter of them at most, an organization three. */
export const openQuarterSlots = (total: number, { place, things, setting }: SlotNames): ProjectSlots =>
  openProjectSlots({
    total,
    perProject: Math.max(1, Math.floor(total / 4)),
    errors: {
      ofOwner: (taken, owner) =>
        `${place}: ${taken} ${things} of the ${owner} are in progress in this process (${parts[owner]} of the setting ${setting}, ${total}); retry later`,
      ofAll: (taken) =>
        `${place}: ${taken} ${things} are in progress in this process (setting ${setting}, ${total}); retry later`,
    },
  });
