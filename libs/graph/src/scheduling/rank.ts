import { type StatementClass, statementClasses } from "./statement-class.ts";

/** The order of waiting statements depends on these. */
export interface Ranked {
  readonly statementClass: StatementClass;
  /** When it came. */
  readonly since: number;
}

/** The class of a waiting statement is raised by one for each of these milliseconds, so that none waits for ever. */
const agingMs = 1_000;

/** Lower is served earlier. */
export const rankOf = ({ statementClass, since }: Ranked, now: number): number =>
  statementClasses.indexOf(statementClass) - Math.floor((now - since) / agingMs);
