/** One statement with its parameters. */
export interface BoundStatement {
  readonly text: string;
  readonly params: Readonly<Record<string, unknown>>;
}
