import cytoscape, { type Core, type CytoscapeOptions } from "cytoscape";
import fcose from "cytoscape-fcose";

cytoscape.use(fcose);

/** The library writes a style element unless one with this id is there, which the page's policy forbids; components.css has its rule. */
const withoutStyleElement = (): void => {
  const id = "__________cytoscape_stylesheet";
  if (document.getElementById(id) !== null) return;
  const placeholder = document.createElement("meta");
  placeholder.id = id;
  document.head.append(placeholder);
};

/** A drawing in a container of the page; without one it has places and no canvas. */
export const openDrawing = (options: CytoscapeOptions): Core => {
  if (options.container !== undefined) withoutStyleElement();
  return cytoscape(options);
};

/** A colour of `tokens.css`, as it is in light or dark now: a canvas knows no variables. */
export const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();
