import { lazy, Suspense } from "react";
import { Loading } from "../../components/loading.tsx";
import type { DifferenceProps } from "./difference-props.ts";

const View = lazy(() => import("./difference-view.tsx"));

/** Two texts and what differs; the library is loaded when the first one is shown. */
export const Difference = (props: DifferenceProps) =>
  props.former === props.latter ? (
    <p className="hint">The texts are the same.</p>
  ) : (
    <Suspense fallback={<Loading what="the difference" />}>
      <View {...props} />
    </Suspense>
  );
