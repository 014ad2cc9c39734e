import { Problem } from "@ikg/contracts";

/** Simulations and replays of one process at one time; docs/limits.md. */
const total = 4;

const tooMany = (error: string): Problem =>
  new Problem("too_many_requests", { headers: { "Retry-After": "5" }, errors: [error] });

/** Bounds the simulations and replays that run at one time: one for each project, four in a process. */
export class SimulationSlots {
  readonly #projects = new Set<string>();

  /**
   * @returns what gives the slot back.
   * @throws Problem "too_many_requests" (429).
   */
  take(projectId: string): () => void {
    if (this.#projects.has(projectId))
      throw tooMany("project: a simulation or replay of this project is running; one runs at a time");
    if (this.#projects.size >= total)
      throw tooMany(`${total} simulations and replays are running in this process; try again later`);
    this.#projects.add(projectId);
    return () => void this.#projects.delete(projectId);
  }
}
