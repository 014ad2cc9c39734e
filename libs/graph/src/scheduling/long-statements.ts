import type { Tenant } from "@ikg/concurrency";

/** What is known of the long statements of a project, or of an organization, in all other processes. */
export interface LongStatementUpdate {
  readonly kind: "project" | "organization";
  readonly id: string;
  /** Database time that they took since the last update, in milliseconds. */
  readonly ms: number;
  /** Other projects, or other organizations, are active in any process. */
  readonly isContended: boolean;
}

/** Database time of long statements on one database, added up over all processes that send some to it. */
export interface LongStatements {
  /** Adds what a statement of this process takes; less than 0 gives back what was counted too much. Milliseconds. */
  spent(tenant: Tenant, ms: number): void;
  /** @param listener called a little later for each project and organization of which this process counts long statements itself */
  follow(listener: (update: LongStatementUpdate) => void): void;
}
