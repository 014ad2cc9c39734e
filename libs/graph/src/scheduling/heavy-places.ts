import type { Capacity } from "./capacity.ts";

/** A place of a heavy statement among those that the database works on. */
export interface HeavyPlace {
  /** Gives it back, once. */
  leave(): void;
}

/** Heavy statements on one database, counted over all processes that send some to it. */
export interface HeavyPlaces {
  /** Notes that a project asks now, of whichever process. */
  asks(projectId: string): void;
  /**
   * A place for a statement of a project, or undefined while others have all those that it may take. While the count is out of reach there is one: the bounds
   * of each process hold all the same.
   */
  take(projectId: string, bounds: Capacity): Promise<HeavyPlace | undefined>;
  /** The place of a statement that turned out heavy as it ran. */
  note(projectId: string): HeavyPlace;
}
