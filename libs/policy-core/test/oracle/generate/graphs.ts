import { omitUndefined } from "@ikg/contracts/values";
import type { EdgeSpec, GraphSpec, InputsSpec, NodeSpec, PropertySpec, Scalar, Stored } from "../model.ts";
import { keyOf, trustDimensions } from "../world.ts";
import type { Draw } from "./draw.ts";

/** Property names by the kind that they always have, so that calculations on them cannot go wrong. */
export const wholeProperties = ["n", "m", "value"] as const;
export const textProperties = ["s", "t", "type", "metadata", "external_id"] as const;
/** Holds now this kind, now that one. */
export const mixedProperty = "x";
export const edgeTypes = ["ON", "HOLDS", "KNOWS", "IN_PART_OF"] as const;
export const extraLabels = ["Extra", "Rare"] as const;
export const texts = ["", "a", "b", "ab", "Ab", "ba", "a b", "it's", "zoë"] as const;

export interface Cast {
  readonly subjectType: string;
  readonly resourceType: string;
}

const casts: readonly Cast[] = [
  { subjectType: "Nurse", resourceType: "Chart" },
  { subjectType: "Nurse", resourceType: "Chart" },
  { subjectType: "Nurse", resourceType: "Chart" },
  { subjectType: "Nurse", resourceType: "Nurse" },
  { subjectType: "_Application", resourceType: "Chart" },
];

const number = (draw: Draw): bigint => BigInt(draw.int(-2, 4));
const text = (draw: Draw): string => draw.pick(texts);

const metadata = (draw: Draw): Record<string, Scalar> =>
  omitUndefined({
    source: draw.maybe(0.6, () => text(draw)),
    assurance_level: draw.maybe(0.6, () => BigInt(draw.int(1, 3))),
    verified_time: draw.maybe(0.3, () => `2026-0${draw.int(1, 3)}-01T00:00:00.000Z`),
  }) as Record<string, Scalar>;

const property = (draw: Draw, value: Stored): PropertySpec => {
  const described = draw.maybe(0.25, () => ({ metadata: metadata(draw) })) ?? {};
  return draw.chance(0.04) ? { external: true, ...described } : { value, ...described };
};

const properties = (draw: Draw, ids: readonly string[]): Record<string, PropertySpec> => {
  const made: Record<string, PropertySpec> = {};
  const maybe = (share: number, name: string, value: () => Stored): void => {
    if (draw.chance(share)) made[name] = property(draw, value());
  };
  maybe(0.8, "n", () => number(draw));
  maybe(0.5, "m", () => number(draw));
  maybe(0.15, "value", () => number(draw));
  maybe(0.7, "s", () => text(draw));
  maybe(0.4, "t", () => text(draw));
  maybe(0.15, "type", () => text(draw));
  maybe(0.1, "metadata", () => text(draw));
  maybe(0.1, "external_id", () => text(draw));
  maybe(0.4, "b", () => draw.chance(0.5));
  maybe(0.3, "f", () => draw.int(-3, 3) + 0.5);
  maybe(0.4, "l", () => draw.list(0, 3, () => draw.pick([...ids, ...texts])));
  maybe(0.3, "k", () => draw.list(0, 3, () => number(draw)));
  maybe(0.3, mixedProperty, () =>
    draw.pick<Stored>([1n, 2n, 1.5, "a", "1", true, false, ["a", "b"], [1n, 2n], "2026-01-01T00:00:00Z"]),
  );
  return made;
};

const node = (draw: Draw, type: string, id: string, ids: readonly string[], scored: boolean): NodeSpec => ({
  type,
  id,
  labels: type.startsWith("_") ? [] : draw.some(extraLabels, 0.2),
  properties: properties(draw, ids),
  ...(scored && draw.chance(0.4)
    ? { trust: Object.fromEntries(trustDimensions.map((name) => [name, draw.int(0, 3) / 4 + 0.125])) }
    : {}),
});

/** A graph of at most eight nodes with loops, parallel and opposite edges now and then. */
export const graph = (draw: Draw, cast: Cast): GraphSpec => {
  const make = (type: string, stem: string, most: number) =>
    Array.from({ length: draw.int(1, most) }, (_, index) => ({ type, id: `${stem}${index + 1}` }));
  const ends = [
    ...make(cast.subjectType, "n", 2),
    ...make(cast.resourceType, cast.resourceType === cast.subjectType ? "p" : "c", 3),
  ];
  const others = [...make("Ward", "w", 2), ...(draw.chance(0.4) ? make("Note", "n", 1) : [])];
  const all = [...ends, ...others];
  const ids = all.map(({ id }) => id);
  const scored = draw.chance(0.2);
  const nodes = all.map(({ type, id }) => node(draw, type, id, ids, scored));
  const sources = [...nodes.filter(({ type }) => type === cast.subjectType), ...nodes];
  const edges: EdgeSpec[] = Array.from({ length: draw.int(4, 10) }, (_, index) => ({
    source: keyOf(draw.pick(sources)),
    type: draw.pick(edgeTypes),
    target: keyOf(draw.pick(nodes)),
    properties: omitUndefined({
      w: BigInt(index),
      since: draw.maybe(0.6, () => BigInt(2019 + draw.int(0, 3))),
      note: draw.maybe(0.3, () => text(draw)),
    }) as Record<string, Scalar>,
  }));
  return { nodes, edges };
};

export const cast = (draw: Draw): Cast => draw.pick(casts);

/** Input parameters, token and request of one call: mostly all there. */
export const inputs = (draw: Draw, { nodes }: GraphSpec): InputsSpec => {
  const ids = nodes.map(({ id }) => id);
  const params = {
    i: number(draw),
    j: number(draw),
    s: text(draw),
    id: draw.pick(ids),
    ids: draw.list(0, 4, () => draw.pick(ids)),
    nums: draw.list(0, 3, () => number(draw)),
    flag: draw.chance(0.6),
    o: { a: { b: number(draw) }, s: text(draw) },
    mixed: draw.pick([1n, 1.5, "a", "1", true]),
    count: BigInt(draw.int(1, 3)),
    when: draw.pick(["2026-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-02T03:04:05+00:00"]),
    extra: "never asked for",
    token: { sub: "a caller's own" },
    resource_type: "a caller's own",
  };
  const claims = {
    sub: draw.pick(ids),
    level: draw.maybe(0.7, () => number(draw)),
    iat: draw.maybe(0.7, () => draw.pick([1_767_225_600n, 1_767_323_045n, 1_770_000_000n])),
    scope: draw.maybe(0.7, () => draw.pick(["read", "reader write", "a b"])),
    groups: draw.maybe(0.5, () => draw.list(0, 3, () => draw.pick(texts))),
    act: draw.maybe(0.5, () => ({ sub: draw.pick(ids) })),
    mixed: draw.maybe(0.6, () => draw.pick([1n, "a", true, ["a"]])),
  };
  return omitUndefined({
    params,
    token: draw.maybe(0.8, () => omitUndefined(claims)),
    request: draw.maybe(0.7, () => ({
      subject: { properties: { n: number(draw) } },
      resource: { properties: { s: text(draw) } },
      context: { n: number(draw), s: text(draw) },
    })),
  }) as InputsSpec;
};
