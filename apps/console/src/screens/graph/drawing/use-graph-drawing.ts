import { useContext, useEffect, useRef } from "react";
import { color, openDrawing } from "../../../components/cytoscape.ts";
import { LooksContext } from "../type-mark.tsx";
import { drawingStyle } from "./drawing-style.ts";
import { GraphDrawing } from "./graph-drawing.ts";
import type { NeighbourhoodDrawingProps } from "./neighbourhood-drawing-props.ts";

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

/** A drawing in a container, as long as that is there; it follows what is shown. */
export const useGraphDrawing = (props: NeighbourhoodDrawingProps) => {
  const { shown, expanded, selected, onSelect, onExpand } = props;
  const container = useRef<HTMLDivElement>(null);
  const drawing = useRef<GraphDrawing>(undefined);
  const looks = useContext(LooksContext);
  const handlers = useRef({ onSelect, onExpand });
  handlers.current = { onSelect, onExpand };

  useEffect(() => {
    if (container.current === null) return;
    const canvas = open(container.current, (key) => {
      handlers.current.onSelect(key);
      handlers.current.onExpand(key);
    });
    drawing.current = canvas.drawing;
    return () => {
      drawing.current = undefined;
      canvas.close();
    };
  }, []);

  useEffect(() => {
    const start = performance.now();
    drawing.current?.draw({ shown, expanded, selected, looks });
    const elements = drawing.current?.core.elements().length ?? 0;
    // Seen in the browser's own profiler, too.
    performance.measure("ikg:draw", { start, detail: { elements } });
    if (container.current !== null) container.current.dataset["elements"] = String(elements);
  }, [shown, expanded, selected, looks]);

  return { container, drawing };
};
