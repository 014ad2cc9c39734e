export interface DrawnNode {
  readonly id: string;
  readonly label: string;
  readonly type: string;
  /** Stands out. */
  readonly isEnd?: boolean;
}

export interface DrawnEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly label: string;
}

export interface DrawingProps {
  /** What is drawn, in words: for people who do not see it. */
  readonly label: string;
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}
