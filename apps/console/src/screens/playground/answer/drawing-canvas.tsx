import type { Core, LayoutOptions, StylesheetJson } from "cytoscape";
import { useEffect, useRef } from "react";
import { color, openDrawing } from "../../../components/cytoscape.ts";
import type { DrawingProps } from "./drawn.ts";

/** In a column the labels stand beside the nodes, where no line is. */
const styles = (isColumn: boolean): StylesheetJson => [
  {
    selector: "node",
    style: {
      label: "data(label)",
      "text-wrap": "wrap",
      "text-max-width": "130px",
      ...(isColumn
        ? {
            "text-halign": "right",
            "text-valign": "center",
            "text-margin-x": 8,
            "text-justification": "left",
          }
        : { "text-valign": "bottom", "text-margin-y": 6 }),
      "font-size": 12,
      color: color("--ink"),
      "background-color": color("--surface"),
      "border-width": 2,
      "border-color": color("--line-strong"),
      width: 30,
      height: 30,
    },
  },
  {
    selector: "node[?isEnd]",
    style: { "background-color": color("--accent"), "border-color": color("--accent") },
  },
  {
    selector: "edge",
    style: {
      label: "data(label)",
      "font-size": 10,
      color: color("--ink-soft"),
      "text-background-color": color("--surface-sunken"),
      "text-background-opacity": 1,
      "text-background-padding": "2px",
      width: 1.5,
      "line-color": color("--line-strong"),
      "target-arrow-color": color("--line-strong"),
      "target-arrow-shape": "triangle",
      "curve-style": "bezier",
    },
  },
];

const minNodeWidth = 120;

/** A row, or a column where the container is too narrow for one: the layout keeps this order. */
const positionOf = (count: number, index: number, isColumn: boolean) => {
  const along = (index - (count - 1) / 2) * (isColumn ? 90 : 150);
  const across = index % 2 === 0 ? -24 : 24;
  return isColumn ? { x: across, y: along } : { x: along, y: across };
};

const draw = (container: HTMLElement, { nodes, edges }: DrawingProps): Core => {
  const isColumn = container.clientWidth < nodes.length * minNodeWidth;
  container.classList.toggle("tall", isColumn);
  return openDrawing({
    container,
    elements: [
      ...nodes.map((data, index) => ({
        data: { ...data },
        position: positionOf(nodes.length, index, isColumn),
      })),
      ...edges.map((data) => ({ data: { ...data } })),
    ],
    style: styles(isColumn),
    // Scrolling the page does not zoom the drawing.
    userZoomingEnabled: false,
    maxZoom: 1.4,
    layout: {
      name: "fcose",
      randomize: false,
      animate: false,
      idealEdgeLength: () => (isColumn ? 60 : 130),
      nodeSeparation: isColumn ? 60 : 130,
      padding: 36,
      // Options of the extension are not among those of the library.
    } as LayoutOptions,
  });
};

/** A canvas that follows the colours of the system. */
export default function DrawingCanvas(props: DrawingProps) {
  const container = useRef<HTMLDivElement>(null);
  const { label, nodes, edges } = props;
  useEffect(() => {
    if (container.current === null) return;
    const core = draw(container.current, { label, nodes, edges });
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const recolor = (): void =>
      void core.style(styles(container.current?.classList.contains("tall") === true));
    scheme.addEventListener("change", recolor);
    const observer = new ResizeObserver(() => {
      core.resize();
      core.fit(undefined, 36);
    });
    observer.observe(container.current);
    return () => {
      observer.disconnect();
      scheme.removeEventListener("change", recolor);
      core.destroy();
    };
  }, [label, nodes, edges]);
  return <div ref={container} className="drawing" role="img" aria-label={label} />;
}
