/** How nodes of a type look: colour and shape together, so that neither is needed alone. */
export interface TypeLook {
  /** Name of the colour in `graph.css`. */
  readonly color: string;
  readonly shape: Shape;
}

/** As cytoscape names them. */
export const shapes = ["ellipse", "round-rectangle", "diamond", "round-triangle", "hexagon", "star"] as const;

export type Shape = (typeof shapes)[number];

/** Colours of Okabe and Ito, which those who see fewer colours can tell apart. */
export const colorCount = 7;

const lookAt = (index: number): TypeLook => ({
  color: `--type-${(index % colorCount) + 1}`,
  // 7 and 6 share no factor: 42 looks before one comes twice.
  shape: shapes[index % shapes.length] ?? "ellipse",
});

/** FNV-1a of its UTF-16 units. */
const hash = (text: string): number => {
  let sum = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 16_777_619) >>> 0;
  return sum;
};

export type TypeLooks = (type: string) => TypeLook;

/**
 * Gives each type of a graph its own look, in the order of the names.
 *
 * @param types those that are known; another one has a look that follows from its name.
 */
export const typeLooks = (types: readonly string[]): TypeLooks => {
  const byType = new Map([...types].sort().map((type, index) => [type, lookAt(index)]));
  return (type) => byType.get(type) ?? lookAt(hash(type) % (colorCount * shapes.length));
};
