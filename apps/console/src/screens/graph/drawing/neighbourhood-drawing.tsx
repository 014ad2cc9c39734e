import { lazy, Suspense } from "react";
import { Loading } from "../../../parts/loading.tsx";
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

const Canvas = lazy(() => import("./neighbourhood-canvas.tsx"));

/** A neighbourhood, drawn; the library is loaded when the first one is. */
export const NeighbourhoodDrawing = (props: NeighbourhoodDrawingProps) => (
  <Suspense fallback={<Loading what="the drawing" />}>
    <Canvas {...props} />
  </Suspense>
);
