import { lazy, Suspense } from "react";
import { Loading } from "../loading.tsx";

export interface DifferenceProps {
  /** What the former text is, as "Version 2". */
  readonly formerLabel: string;
  readonly former: string;
  readonly latterLabel: string;
  readonly latter: string;
  /** Both in one column, as it always is on a narrow page. */
  readonly isUnified?: boolean;
}

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
