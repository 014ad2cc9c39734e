import { openProjectSlots, type ProjectSlots } from "@ikg/service";

/** Simulations and replays of one process at one time; docs/limits.md. */
const total = 4;

/** Bounds the simulations and replays that run at one time: one for each project, four in a process. */
export const openSimulationSlots = (): ProjectSlots =>
  openProjectSlots({
    total,
    perProject: 1,
    errors: {
      ofProject: () => "project: a simulation or replay of this project is running; one runs at a time",
      ofAll: (taken) => `${taken} simulations and replays are running in this process; try again later`,
    },
    full: "too_many_requests",
  });
