import { lazy, Suspense } from "react";
import { Loading } from "../../../components/loading.tsx";
import type { NeighbourhoodDrawingProps } from "./neighbourhood-drawing-props.ts";

const Canvas = lazy(() => import("./neighbourhood-canvas.tsx"));

/** A neighbourhood, drawn; the library is loaded when the first one is. */
export const NeighbourhoodDrawing = (props: NeighbourhoodDrawingProps) => (
  <Suspense
    fallback={
      // As large as the drawing will be: nothing moves when it comes.
      <div className="neighbourhood-canvas pending">
        <Loading what="the drawing" />
      </div>
    }
  >
    <Canvas {...props} />
  </Suspense>
);
