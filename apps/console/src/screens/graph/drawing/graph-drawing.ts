import type { Core, CytoscapeOptions, ElementDefinition, LayoutOptions } from "cytoscape";
import { displayText } from "../../../text/display-text.ts";
import type { GraphNode, Neighbourhood } from "../neighbourhood/neighbourhood.ts";
import type { TypeLooks } from "../type-looks.ts";
import { type Point, placeAround } from "./placement.ts";

export type Direction = "up" | "down" | "left" | "right";

export interface DrawnState {
  readonly shown: Neighbourhood;
  readonly expanded: ReadonlySet<string>;
  readonly selected: string | undefined;
  readonly looks: TypeLooks;
}

/** Layout by forces beyond it takes longer than a person should wait; rings are ready at once. */
const maxForceElements = 300;

/** More relationships than this are drawn without their names. */
const maxNamedEdges = 60;

const padding = 36;
const maxZoom = 2;
/** A few elements that are fitted to the container are not enlarged beyond it. */
const maxFittedZoom = 1.3;
const labelLength = 24;

const forces = (fixed: readonly { nodeId: string; position: Point }[], count: number): LayoutOptions =>
  ({
    name: "fcose",
    randomize: false,
    animate: false,
    fit: false,
    // Fewer rounds for more nodes: about the same time for all.
    numIter: count > 120 ? 300 : 1_000,
    idealEdgeLength: 110,
    nodeRepulsion: 9_000,
    nodeSeparation: 80,
    fixedNodeConstraint: fixed,
    // Options of the extension are not among those of the library.
  }) as LayoutOptions;

/** A neighbourhood on a canvas. A node that was placed keeps its place, also while it is filtered out. */
export class GraphDrawing {
  readonly core: Core;
  readonly #colorOf: (name: string) => string;
  readonly #places = new Map<string, Point>();
  #looks: TypeLooks | undefined;

  /**
   * @param open makes the core from its options.
   * @param colorOf the colour of a name, as it is in light or dark now.
   */
  constructor(open: (options: CytoscapeOptions) => Core, colorOf: (name: string) => string) {
    this.core = open({
      elements: [],
      minZoom: 0.1,
      maxZoom,
      userZoomingEnabled: false,
      autoungrabify: true,
    });
    this.#colorOf = colorOf;
  }

  /** Draws a state; only what has changed since the last one is touched. */
  draw(state: DrawnState): void {
    const { shown } = state;
    const isFirst = this.core.nodes().empty();
    let isChanged = false;
    this.core.batch(() => {
      const gone = this.core.elements().filter((element) => !this.#isShown(element.id(), shown));
      isChanged = gone.nonempty();
      gone.remove();
      this.#setLooks(state.looks);
      isChanged = this.#addMissing(shown) || isChanged;
      this.#mark(state);
    });
    if (isChanged) this.fit(!isFirst);
  }

  /** After a change between light and dark. */
  recolor(): void {
    this.core.batch(() => this.#applyLooks());
  }

  /** Shows all elements in the container. */
  fit(isAnimated = false): void {
    const eles = this.core.elements();
    // The target of an animation is computed when it is started, so that the limit holds for it as well.
    this.core.maxZoom(maxFittedZoom);
    if (isAnimated) this.core.animate({ fit: { eles, padding } }, { duration: 250 });
    else this.core.fit(eles, padding);
    this.core.maxZoom(maxZoom);
  }

  zoom(factor: number): void {
    const middle = { x: this.core.width() / 2, y: this.core.height() / 2 };
    this.core.zoom({ level: this.core.zoom() * factor, renderedPosition: middle });
  }

  /** The next node in a direction, as arrow keys go. */
  next(from: string, direction: Direction): string | undefined {
    const start = this.core.getElementById(from);
    if (start.empty()) return this.core.nodes().first().id();
    const { x, y } = start.position();
    const isHorizontal = direction === "left" || direction === "right";
    const [along, across] = isHorizontal ? (["x", "y"] as const) : (["y", "x"] as const);
    const factor = direction === "right" || direction === "down" ? 1 : -1;
    let best: { readonly id: string; readonly cost: number } | undefined;
    for (const node of this.core.nodes()) {
      const place = node.position();
      const delta = { x: place.x - x, y: place.y - y };
      const forward = delta[along] * factor;
      const aside = Math.abs(delta[across]);
      if (forward <= 1 || aside > forward * 1.6) continue;
      const cost = forward + aside * 1.5;
      if (best === undefined || cost < best.cost) best = { id: node.id(), cost };
    }
    return best?.id;
  }

  /** Moves the drawing where a node is out of sight. */
  show(key: string): void {
    const node = this.core.getElementById(key);
    if (node.empty()) return;
    const { x, y } = node.renderedPosition();
    if (x < padding || y < padding || x > this.core.width() - padding || y > this.core.height() - padding)
      this.core.center(node);
  }

  destroy(): void {
    this.core.destroy();
  }

  #isShown(id: string, { nodes, relationships }: Neighbourhood): boolean {
    return nodes.has(id) || this.#keys(relationships).has(id);
  }

  /** Keys of the relationships, worked out once for each list of them. */
  readonly #keysOf = new WeakMap<Neighbourhood["relationships"], ReadonlySet<string>>();

  #keys(relationships: Neighbourhood["relationships"]): ReadonlySet<string> {
    const known = this.#keysOf.get(relationships) ?? new Set(relationships.map(({ key }) => key));
    this.#keysOf.set(relationships, known);
    return known;
  }

  /** Nodes may be drawn before the types of the graph are known, and change their looks then. */
  #setLooks(looks: TypeLooks): void {
    if (looks === this.#looks) return;
    this.#looks = looks;
    this.#applyLooks();
  }

  #applyLooks(): void {
    for (const node of this.core.nodes()) node.data(this.#lookOf(String(node.data("type"))));
  }

  /** Data of a node from which its style takes colour and shape. */
  #lookOf(type: string) {
    const { color, shape } = this.#looks?.(type) ?? { color: "--type-1", shape: "ellipse" };
    return { color: this.#colorOf(color), shape };
  }

  /**
   * Adds nodes and relationships that are not drawn. A node without a place of its own is placed near its anchor.
   *
   * @returns whether nodes were added.
   */
  #addMissing({ nodes, relationships }: Neighbourhood): boolean {
    const missing = [...nodes.values()].filter(({ key }) => !this.core.hasElementWithId(key));
    const unplaced = missing.filter(({ key }) => !this.#places.has(key));
    this.#place(unplaced, nodes);
    this.core.add([
      ...missing.map((node) => this.#nodeElement(node)),
      ...relationships
        .filter(({ key }) => !this.core.hasElementWithId(key))
        .map(({ key, source, target, type }) => ({
          data: { id: key, source, target, label: displayText(type, labelLength) },
        })),
    ]);
    // The first node is the middle of everything.
    const movable = unplaced.filter(({ anchor }) => anchor !== undefined);
    if (movable.length > 0) this.#refine(new Set(movable.map(({ key }) => key)));
    return missing.length > 0;
  }

  #nodeElement({ key, type, external_id: id }: GraphNode): ElementDefinition {
    const label = displayText(id, labelLength);
    return {
      data: { id: key, type, label, ...this.#lookOf(type) },
      position: { ...(this.#places.get(key) ?? { x: 0, y: 0 }) },
    };
  }

  #place(nodes: readonly GraphNode[], all: Neighbourhood["nodes"]): void {
    const byAnchor = Map.groupBy(nodes, ({ anchor }) => anchor);
    for (const [anchor, group] of byAnchor) {
      if (anchor === undefined) {
        for (const { key } of group) this.#places.set(key, { x: 0, y: 0 });
        continue;
      }
      const center = this.#places.get(anchor) ?? { x: 0, y: 0 };
      const parent = all.get(anchor)?.anchor;
      const points = placeAround(
        center,
        parent === undefined ? undefined : this.#places.get(parent),
        group.length,
        this.#places.values(),
      );
      for (const [at, { key }] of group.entries()) this.#places.set(key, points[at] ?? center);
    }
  }

  /** Lets forces move the new nodes, and no other. */
  #refine(added: ReadonlySet<string>): void {
    const count = this.core.elements().length;
    if (count > maxForceElements || this.core.nodes().length < 3) return;
    const fixed = this.core
      .nodes()
      .map((node) => ({ nodeId: node.id(), position: { ...node.position() } }))
      .filter(({ nodeId }) => !added.has(nodeId));
    this.core.layout(forces(fixed, count)).run();
    const moved = this.core.nodes().map((node) => [node.id(), { ...node.position() }] as const);
    for (const [key, place] of moved) if (added.has(key)) this.#places.set(key, place);
  }

  #mark({ shown, expanded, selected }: DrawnState): void {
    // Relationships of the first node are not marked: until another one is expanded there are no others.
    const marked = selected === undefined || shown.nodes.get(selected)?.anchor === undefined ? "" : selected;
    for (const node of this.core.nodes()) {
      node.data({ isExpanded: expanded.has(node.id()), isSelected: node.id() === selected });
    }
    const edges = this.core.edges();
    edges.toggleClass("dense", edges.length > maxNamedEdges);
    for (const edge of edges)
      edge.data("isSelected", edge.source().id() === marked || edge.target().id() === marked);
  }
}
