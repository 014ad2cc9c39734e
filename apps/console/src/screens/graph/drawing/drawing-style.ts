import type { StylesheetJson } from "cytoscape";
import { color } from "../../../components/cytoscape.ts";

/** How nodes and relationships are drawn, in the colours of now. */
export const drawingStyle = (): StylesheetJson => [
  {
    selector: "node",
    style: {
      label: "data(label)",
      "text-valign": "bottom",
      "text-margin-y": 4,
      "font-size": 11,
      "min-zoomed-font-size": 7,
      color: color("--ink"),
      "text-background-color": color("--surface-sunken"),
      "text-background-opacity": 0.8,
      "text-background-padding": "1px",
      shape: "data(shape)" as "ellipse",
      "background-color": "data(color)",
      "border-width": 1.5,
      "border-color": color("--ink-soft"),
      width: 24,
      height: 24,
    },
  },
  { selector: "node[?isExpanded]", style: { width: 32, height: 32, "border-width": 2.5 } },
  {
    selector: "node[?isSelected]",
    style: {
      "border-color": color("--accent"),
      "border-width": 4,
      "font-weight": "bold",
      "z-index": 10,
      "min-zoomed-font-size": 0,
    },
  },
  {
    selector: "edge",
    style: {
      label: "data(label)",
      "font-size": 9,
      "min-zoomed-font-size": 8,
      color: color("--ink-soft"),
      "text-background-color": color("--surface-sunken"),
      "text-background-opacity": 1,
      "text-background-padding": "1px",
      "text-rotation": "autorotate",
      width: 1.2,
      "line-color": color("--line-strong"),
      "target-arrow-color": color("--line-strong"),
      "target-arrow-shape": "triangle",
      "arrow-scale": 0.8,
      "curve-style": "bezier",
    },
  },
  // Between many lines their names cannot be read; those of the selected node stay.
  { selector: "edge.dense[!isSelected]", style: { label: "" } },
  {
    selector: "edge[?isSelected]",
    style: { width: 2.2, "line-color": color("--accent"), "target-arrow-color": color("--accent") },
  },
];
