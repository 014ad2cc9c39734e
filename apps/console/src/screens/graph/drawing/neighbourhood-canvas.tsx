import { type KeyboardEvent, useContext, useEffect, useRef } from "react";
import { color, openDrawing } from "../../../parts/cytoscape.ts";
import { LooksContext } from "../type-mark.tsx";
import type { NeighbourhoodDrawingProps } from "./neighbourhood-drawing-props.ts";
import { drawingStyle } from "./drawing-style.ts";
import { type Direction, GraphDrawing } from "./graph-drawing.ts";

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

/** Opens a drawing in a container, with its colours following the system and its size following the page. */
const open = (container: HTMLElement, onTap: (key: string) => void) => {
  const drawing = new GraphDrawing(
    (options) => openDrawing({ ...options, container, style: drawingStyle() }),
    color,
  );
  drawing.core.on("tap", "node", ({ target }) => onTap((target as { id: () => string }).id()));
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const recolor = (): void => {
    drawing.core.style(drawingStyle());
    drawing.recolor();
  };
  scheme.addEventListener("change", recolor);
  const observer = new ResizeObserver(() => {
    drawing.core.resize();
    drawing.fit();
  });
  observer.observe(container);
  const close = (): void => {
    observer.disconnect();
    scheme.removeEventListener("change", recolor);
    drawing.destroy();
  };
  return { drawing, close };
};

/** The canvas. Arrow keys go from node to node, Enter expands, `+`, `-` and `0` change the size. */
export default function NeighbourhoodCanvas({
  label,
  shown,
  expanded,
  selected,
  onSelect,
  onExpand,
}: NeighbourhoodDrawingProps) {
  const container = useRef<HTMLDivElement>(null);
  const opened = useRef<GraphDrawing>(undefined);
  const looks = useContext(LooksContext);
  const handlers = useRef({ onSelect, onExpand });
  handlers.current = { onSelect, onExpand };

  useEffect(() => {
    if (container.current === null) return;
    const { drawing, close } = open(container.current, (key) => {
      handlers.current.onSelect(key);
      handlers.current.onExpand(key);
    });
    opened.current = drawing;
    return () => {
      opened.current = undefined;
      close();
    };
  }, []);

  useEffect(() => {
    const start = performance.now();
    opened.current?.draw({ shown, expanded, selected, looks });
    const elements = opened.current?.core.elements().length ?? 0;
    // Seen in the browser's own profiler, too.
    performance.measure("ikg:draw", { start, detail: { elements } });
    if (container.current !== null) container.current.dataset["elements"] = String(elements);
  }, [shown, expanded, selected, looks]);

  const onKey = (event: KeyboardEvent): void => {
    const drawing = opened.current;
    const direction = directions[event.key];
    if (drawing === undefined) return;
    if (direction !== undefined) {
      const next = drawing.next(selected, direction);
      if (next !== undefined) {
        onSelect(next);
        drawing.show(next);
      }
    } else if (event.key === "Enter" || event.key === " ") onExpand(selected);
    else if (event.key === "+") drawing.zoom(1.3);
    else if (event.key === "-") drawing.zoom(1 / 1.3);
    else if (event.key === "0") drawing.fit();
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
      <div className="canvas-tools" role="group" aria-label="Size of the drawing">
        <button
          type="button"
          className="button small"
          aria-label="Larger"
          onClick={() => opened.current?.zoom(1.3)}
        >
          +
        </button>
        <button
          type="button"
          className="button small"
          aria-label="Smaller"
          onClick={() => opened.current?.zoom(1 / 1.3)}
        >
          −
        </button>
        <button type="button" className="button small" onClick={() => opened.current?.fit(true)}>
          Fit
        </button>
      </div>
    </div>
  );
}
