import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  externalValueField,
  keyField,
  metadataField,
  nodeField,
  propertyField,
  propertyTimeField,
  relationshipDiscriminator,
  relationshipField,
  relationshipFields,
  relationshipPropertyName,
  systemFields,
} from "./properties.ts";

const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/),
  fc.constantFrom(...systemFields, keyField, "_p", "__proto__", "constructor", "metadata", "external_value"),
);

describe("fields of a node", () => {
  it.each([
    ["price", "price"],
    ["type", "_p.type"],
    ["_key", "_p._key"],
    ["__proto__", "_p.__proto__"],
    ["update_time", "_p.update_time"],
  ])("property %s is stored under %s", (property, field) => expect(propertyField(property)).toBe(field));

  it("read back as what they hold", () => {
    fc.assert(
      fc.property(name, name, (property, key) => {
        expect(nodeField(propertyField(property))).toEqual({ kind: "value", property });
        expect(nodeField(metadataField(property, key))).toEqual({ kind: "metadata", property, key });
        expect(nodeField(externalValueField(property))).toEqual({ kind: "external_value", property });
        expect(nodeField(propertyTimeField(property))).toEqual({ kind: "property_time", property });
      }),
    );
  });

  it("never meet: no property, whatever its name, touches a field of the node or of another property", () => {
    const fieldsOf = (property: string, key: string) => [
      propertyField(property),
      metadataField(property, key),
      externalValueField(property),
      propertyTimeField(property),
    ];
    fc.assert(
      fc.property(name, name, name, name, (one, oneKey, other, otherKey) => {
        const ours = new Set<string>([...systemFields, keyField]);
        const first = fieldsOf(one, oneKey);
        expect(first.some((field) => ours.has(field))).toBe(false);
        if (one === other) return;
        const second = new Set(fieldsOf(other, otherKey));
        expect(first.some((field) => second.has(field))).toBe(false);
      }),
    );
  });

  it("tells fields of the platform", () => {
    for (const field of systemFields) expect(nodeField(field)).toEqual({ kind: "system", field });
    expect(nodeField(keyField)).toBeUndefined();
    expect(nodeField("_anything")).toBeUndefined();
    expect(nodeField("price.unknown")).toBeUndefined();
  });
});

describe("fields of a relationship", () => {
  it("read back as the caller's names and never hide a field of the platform", () => {
    fc.assert(
      fc.property(name, (property) => {
        const field = relationshipField(property);
        expect(relationshipPropertyName(field)).toBe(property);
        expect(Object.values(relationshipFields)).not.toContain(field);
      }),
    );
    for (const field of Object.values(relationshipFields))
      expect(relationshipPropertyName(field)).toBeUndefined();
  });

  it("tell parallel relationships apart by kind and value", () => {
    const texts = [undefined, "", "5", 5, 5.5, true, "true", ["5"], [5], []].map(relationshipDiscriminator);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts[0]).toBe("");
  });
});
