/** What a statement is for. Within one project the classes that stand first are served first. */
export const statementClasses = ["decision", "query", "capture", "administration", "background"] as const;

/**
 * `decision`: single decisions and batches of them; `query`: searches and knowledge queries; `capture`: writes of nodes and
 * relationships; `administration`: requests about records of the configuration; `background`: imports, simulations, trust runs, removals.
 */
export type StatementClass = (typeof statementClasses)[number];

/** The text by which the durations of write transactions are learned: their statements are known only as they run. */
export const writeText = (statementClass: StatementClass | undefined): string => `write ${statementClass}`;
