import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { isLongJson, jsonPieces, pieceCharacters } from "./json-pieces.ts";

const text = "é".repeat(30_000);
const leaf = fc.oneof(
  fc.constantFrom(undefined, null, true, Number.NaN, 1, "", "\ud800", text),
  fc.double(),
  fc.string(),
);
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("value"), { maxLength: 6 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 6, noNullPrototype: true }),
  ),
})).value;

it("are the text of JSON.stringify, whatever the value", () => {
  fc.assert(
    fc.property(values, (value) => {
      expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value) ?? "");
    }),
  );
});

it("are short, whatever the length of the value", () => {
  const value = { list: Array.from({ length: 3_000 }, (_, at) => ({ at, name: "x".repeat(200) })), small: 1 };
  expect(isLongJson(value)).toBe(true);
  expect(isLongJson(value.list.slice(0, 200))).toBe(false);
  const pieces = [...jsonPieces(value)];
  expect(pieces.join("")).toBe(JSON.stringify(value));
  expect(pieces.length).toBeGreaterThan(8);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2 * pieceCharacters);
});
