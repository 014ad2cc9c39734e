import type { KeyboardEvent } from "react";
import type { Direction } from "./graph-drawing.ts";
import type { NeighbourhoodDrawingProps } from "./neighbourhood-drawing-props.ts";
import { useGraphDrawing } from "./use-graph-drawing.ts";
import { ZoomControls } from "./zoom-controls.tsx";

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

/** The factor by which a key or a click changes the size. */
const zoomStep = 1.3;

/** The canvas. Arrow keys go from node to node, Enter expands, `+`, `-` and `0` change the size. */
export default function NeighbourhoodCanvas(props: NeighbourhoodDrawingProps) {
  const { label, selected, onSelect, onExpand } = props;
  const { container, drawing } = useGraphDrawing(props);

  const onKey = (event: KeyboardEvent): void => {
    const graph = drawing.current;
    const direction = directions[event.key];
    if (graph === undefined) return;
    if (direction !== undefined) {
      const next = graph.next(selected, direction);
      if (next !== undefined) {
        onSelect(next);
        graph.show(next);
      }
    } else if (event.key === "Enter" || event.key === " ") onExpand(selected);
    else if (event.key === "+") graph.zoom(zoomStep);
    else if (event.key === "-") graph.zoom(1 / zoomStep);
    else if (event.key === "0") graph.fit();
    else return;
    event.preventDefault();
  };

  return (
    <div className="canvas-frame">
      <div
        ref={container}
        className="neighbourhood-canvas"
        role="application"
        aria-label={label}
        // An application takes the focus, and every key.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onKeyDown={onKey}
      />
      <ZoomControls
        onLarger={() => drawing.current?.zoom(zoomStep)}
        onSmaller={() => drawing.current?.zoom(1 / zoomStep)}
        onFit={() => drawing.current?.fit(true)}
      />
    </div>
  );
}
