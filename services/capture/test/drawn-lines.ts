import fc from "fast-check";

/** Names that could be taken for those of the platform, among others. */
const propertyName = fc.constantFrom(
  "n",
  "id",
  "type",
  "_key",
  "_p",
  "constructor",
  "metadata",
  "update_time",
  "x1",
);

const scalar = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom(
    "",
    "gid:x",
    "2026-02-30T00:00:00Z",
    "\u0000\n\u2028",
    Number.MAX_SAFE_INTEGER,
    0.1,
    1e-300,
    1.5e-300,
  ),
  fc.integer(),
  fc.boolean(),
);
const list = fc.oneof(
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 4 }),
  fc.array(fc.integer(), { maxLength: 4 }),
  fc.array(fc.boolean(), { maxLength: 4 }),
  fc.array(
    fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e9, min: -1e9 }).filter((n) => !Object.is(n, -0)),
    { maxLength: 4 },
  ),
);
const value = fc.oneof(scalar, list);

const metadata = fc.record(
  {
    verified_time: fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-01-01T02:00:00.123+02:00"),
    source: fc.string({ maxLength: 10 }),
    assurance_level: fc.constantFrom(1, 2, 3),
    custom_metadata: fc.dictionary(fc.constantFrom("trust", "value", "constructor", "k"), value, {
      maxKeys: 3,
    }),
  },
  { requiredKeys: [] },
);

const property = fc
  .tuple(
    propertyName,
    fc.oneof(
      value.map((each) => ({ value: each })),
      fc.constant({ external_value: "weather" }),
    ),
    fc.option(metadata, { nil: undefined }),
  )
  .map(([type, content, about]) => ({
    type,
    ...content,
    ...(about === undefined ? {} : { metadata: about }),
  }));

const nodeRef = fc.record({
  type: fc.constantFrom("Person", "Car", "Car_2"),
  external_id: fc.constantFrom("a", "a/b", "ü ", "z", "~", "x".repeat(200)),
});
type Ref = { readonly type: string; readonly external_id: string };
const nameOf = ({ type, external_id }: Ref): string => `${type}/${external_id}`;

const node = fc
  .tuple(
    nodeRef,
    fc.boolean(),
    fc.uniqueArray(fc.constantFrom("Driver", "Owner", "Zed"), { maxLength: 3 }),
    fc.uniqueArray(property, { maxLength: 6, selector: ({ type }) => type }),
  )
  .map(([ref, is_identity, labels, properties]) => ({ node: { ...ref, is_identity, labels, properties } }));

const relationshipProperty = fc.record({ type: propertyName, value });

/** Lines of a graph, in any order: nodes, and relationships between them, parallel ones among these. */
export const drawnLines: fc.Arbitrary<readonly object[]> = fc
  .uniqueArray(node, { minLength: 1, maxLength: 12, selector: ({ node: each }) => nameOf(each) })
  .chain((nodes) => {
    const end = fc.constantFrom(...nodes.map(({ node: { type, external_id } }) => ({ type, external_id })));
    const relationship = fc
      .tuple(
        end,
        end,
        fc.constantFrom("KNOWS", "OWNS"),
        fc.uniqueArray(relationshipProperty, { maxLength: 3, selector: ({ type }) => type }),
        fc.option(scalar, { nil: undefined }),
      )
      .map(([source, target, type, properties, apart]) => ({
        relationship: {
          source,
          target,
          type,
          properties:
            apart === undefined
              ? properties
              : [
                  ...properties.filter((each) => each.type !== "n"),
                  { type: "n", value: apart },
                  { type: "discriminating_property", value: "n" },
                ],
        },
      }));
    return fc.array(relationship, { maxLength: 20 }).map((relationships) => [...relationships, ...nodes]);
  });
