/** What is known of the long statements of a project in all other processes. */
export interface LongStatementNews {
  readonly projectId: string;
  /** Database time that they took since the last news, in milliseconds. */
  readonly ms: number;
  /** Other projects ask, of whichever process. */
  readonly othersAsk: boolean;
}

/** Database time of long statements on one database, added up over all processes that send some to it. */
export interface LongStatements {
  /** Adds what a statement of this process takes; less than 0 gives back what was counted too much. Milliseconds. */
  spent(projectId: string, ms: number): void;
  /** @param listener called a little later for each project of which this process counts long statements itself */
  follow(listener: (news: LongStatementNews) => void): void;
}
