import type { Neighbourhood } from "../neighbourhood/neighbourhood.ts";

export interface NeighbourhoodDrawingProps {
  /** What is drawn and which keys there are, in words. */
  readonly label: string;
  readonly shown: Neighbourhood;
  readonly expanded: ReadonlySet<string>;
  /** Key of a node. */
  readonly selected: string;
  readonly onSelect: (key: string) => void;
  readonly onExpand: (key: string) => void;
}
