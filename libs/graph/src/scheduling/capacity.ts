import { defaultHeavyStatements, type HeavyBounds } from "@ikg/concurrency";

/** A statement that runs longer than this is heavy: it keeps a processor of the database busy. Milliseconds. */
export const heavyMs = 100;

/**
 * A statement whose quicker runs take this long is kept to the pace of its project while other projects are active: callers that send such
 * statements one after the other keep a processor busy. Milliseconds.
 */
export const longMs = 8;

/** What the scheduler of one process may have in flight on one database. */
export interface Capacity extends HeavyBounds {
  /** Statements of all projects; the connections beyond it are kept for statements of the platform. */
  readonly total: number;
  /** Statements of one project while no other project is active, and of one organization: the next one finds a free connection at once. */
  readonly alone: number;
  /** Statements of one project while other projects are active, and of one organization while others are. */
  readonly contended: number;
  /** Expected milliseconds of one project's short statements while it alone is active; and while others are, also of one organization's. */
  readonly shortMsAlone: number;
  readonly shortMsContended: number;
  /** Processors of the database that long statements of one project keep busy on average while other projects are active. */
  readonly longContended: number;
  /** The same of all projects of one organization together while other organizations are active. */
  readonly longOfOrganization: number;
}

export interface CapacitySettings {
  /** Connections of the driver. */
  readonly poolSize: number;
  /** Heavy statements at once while several projects ask; half the processors of this machine when unset. */
  readonly heavyStatements?: number | undefined;
  /** The database belongs to one project, whose statements cannot delay those of others: only its connections bound them. */
  readonly exclusive?: boolean | undefined;
}

const atLeastOne = (value: number): number => Math.max(1, Math.floor(value));

/**
 * What a process may have in flight. Heavy statements are bounded by the processors of the database and not by connections: more
 * of them end no sooner, and each short statement has to wait for a processor. While several projects are active,
 * heavy statements get half the processors, and the long ones of one project half of these on average.
 */
export const capacityOf = ({ poolSize, heavyStatements, exclusive = false }: CapacitySettings): Capacity => {
  const reserve = poolSize === 1 ? 0 : Math.min(10, atLeastOne(poolSize / 10));
  const total = poolSize - reserve;
  if (exclusive) {
    const [all, unbounded] = [total, Infinity];
    return {
      total,
      alone: all,
      contended: all,
      heavyAlone: all,
      heavyContended: all,
      heavyTotal: all,
      shortMsAlone: unbounded,
      shortMsContended: unbounded,
      longContended: all,
      longOfOrganization: all,
    };
  }
  const heavyContended = heavyStatements ?? defaultHeavyStatements();
  return {
    total,
    alone: atLeastOne(total - Math.max(1, total / 10)),
    contended: atLeastOne(total / 2),
    heavyAlone: 4 * heavyContended,
    heavyContended,
    heavyTotal: 8 * heavyContended,
    shortMsAlone: 500 * heavyContended,
    shortMsContended: 20 * heavyContended,
    longContended: heavyContended / 2,
    longOfOrganization: heavyContended,
  };
};
