import type { AuditType, DataOf, OnBehalfOf, Outcome } from "@ikg/audit";

/** One event of an operation. A note is what becomes an audit record; the rest of the record is known from the request. */
export interface AuditNote<T extends AuditType = AuditType> {
  readonly type: T;
  /** gid of the project, or of the organization for what belongs to no project. */
  readonly chain: string;
  readonly data: DataOf<T>;
  readonly outcome?: Outcome;
  readonly onBehalfOf?: OnBehalfOf | undefined;
}

/**
 * Collects the audit notes of a request, which are recorded before the request is answered. The function is not called
 * where records are disabled.
 */
export type Note = <T extends AuditType>(createNote: () => AuditNote<T>) => void;
