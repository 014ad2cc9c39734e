import { openProjectSlots, type ProjectSlots } from "@ikg/service";

/** Simulations and replays of one process at one time; docs/limits.md. */
const total = 4;

/** Bounds the simulations and replays that run at one time: one for each project, three for an organization, four in a process. */
export const openSimulationSlots = (): ProjectSlots =>
  openProjectSlots({
    total,
    perProject: 1,
    errors: {
      ofOwner: (taken, owner) =>
        owner === "project"
          ? "project: a simulation or replay of this project is running; one runs at a time"
          : `${taken} simulations and replays of the organization are running in this process; try again later`,
      ofAll: (taken) => `${taken} simulations and replays are running in this process; try again later`,
    },
    full: "too_many_requests",
  });
