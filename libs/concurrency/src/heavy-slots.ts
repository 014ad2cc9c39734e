import { availableParallelism } from "node:os";
import type { Tenant } from "./tenant.ts";

/** A project or an organization counts as asking until this many milliseconds after its last statement, or its last request at a gateway. */
export const contentionMs = 5_000;

/** Heavy statements of all projects at once while several are active, where no setting says how many: half the processors of this machine. */
export const defaultHeavyStatements = (): number => Math.max(1, Math.floor(availableParallelism() / 2));

/** How many heavy statements of all projects may run at once. */
export interface HeavyBounds {
  /** While one project, or one organization, is active. */
  readonly heavyAlone: number;
  /** While several are. */
  readonly heavyContended: number;
  /** With the one statement that each organization may always run in each process; each project, while one organization is active. */
  readonly heavyTotal: number;
}

/** The slot of a heavy statement among those that a database runs at once. */
export interface HeavySlot {
  /** Releases the slot; further calls have no effect. */
  release(): void;
}

/** Slots of heavy statements on one database, counted over all processes that send statements to it. */
export interface HeavySlots {
  /** Announces to all processes that a project is active now. */
  announce(tenant: Tenant): void;
  /**
   * A slot for a statement of a project; undefined while all that the project may take are in use. While the count is
   * unavailable every request gets a slot, because each process also enforces the bounds by itself; a rejection means the
   * same, and the statement starts without a slot.
   */
  take(tenant: Tenant, bounds: HeavyBounds): Promise<HeavySlot | undefined>;
  /** Counts a statement that has become heavy while it runs. */
  note(tenant: Tenant): HeavySlot;
}
