import type { AuditType, DataOf, OnBehalfOf, Outcome } from "@ikg/audit";

/** One event of an operation; the rest of its record is known from the request. */
export interface AuditNote<T extends AuditType = AuditType> {
  readonly type: T;
  /** gid of the project, or of the organization for what belongs to no project. */
  readonly chain: string;
  readonly data: DataOf<T>;
  readonly outcome?: Outcome;
  readonly onBehalfOf?: OnBehalfOf | undefined;
}

/**
 * Keeps what is told of a request; its records are kept before the request is answered. Not asked for what it would say
 * where no records are kept.
 */
export type Note = <T extends AuditType>(tell: () => AuditNote<T>) => void;
