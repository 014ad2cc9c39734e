export interface DifferenceProps {
  /** What the former text is, as "Version 2". */
  readonly formerLabel: string;
  readonly former: string;
  readonly latterLabel: string;
  readonly latter: string;
  /** Both in one column, as it always is on a narrow page. */
  readonly isUnified?: boolean;
}
