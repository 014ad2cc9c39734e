import { lazy, Suspense } from "react";
import { Loading } from "./loading.tsx";
import type { DrawingProps } from "./drawn.ts";

const Canvas = lazy(() => import("./drawing-canvas.tsx"));

/** A graph, drawn; the library is loaded when the first one is. */
export const Drawing = (props: DrawingProps) => (
  <Suspense fallback={<Loading what="the drawing" />}>
    <Canvas {...props} />
  </Suspense>
);
