/** Makes a drawn case smaller, piece by piece. It knows the data's shape only: lists get shorter, trees get flatter. */
import { isJsonObject } from "@ikg/contracts/values";

type Plain = unknown;
type Key = string | number;

/** Kinds of the model that stand where an expression stands. */
const isExpression = (value: Plain): value is Readonly<Record<string, Plain>> =>
  isJsonObject(value) &&
  typeof value["kind"] === "string" &&
  !["match", "with", "unwind", "subquery", "is", "any-label"].includes(value["kind"]);

const isFilter = (value: Plain): value is { operands: readonly Plain[] } =>
  isJsonObject(value) && Array.isArray(value["operands"]);

const replaceAt = (root: Plain, path: readonly Key[], value: Plain): Plain => {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(root)) {
    const copy: Plain[] = [...(root as Plain[])];
    if (typeof key === "number") copy[key] = replaceAt(copy[key], rest, value);
    return copy;
  }
  return isJsonObject(root) ? { ...root, [key]: replaceAt(root[key], rest, value) } : root;
};

/** Smaller values for what stands at one place. */
function* smaller(value: Plain): Generator {
  if (Array.isArray(value)) {
    const items = value as readonly Plain[];
    if (items.length > 3) yield items.slice(0, Math.floor(items.length / 2));
    if (items.length > 3) yield items.slice(Math.floor(items.length / 2));
    for (let index = 0; index < items.length; index++) yield items.toSpliced(index, 1);
    return;
  }
  if (isFilter(value)) yield* value.operands;
  if (isExpression(value)) {
    for (const inner of Object.values(value))
      for (const each of Array.isArray(inner) ? (inner as readonly Plain[]) : [inner])
        if (isExpression(each)) yield each;
    if (value["kind"] !== "literal") yield { kind: "literal", value: true };
  }
  if (isJsonObject(value))
    for (const optional of [
      "where",
      "map",
      "label",
      "types",
      "variable",
      "filter",
      "metadata",
      "trust",
      "length",
      "limit",
      "skip",
      "result",
      "otherwise",
      "token",
      "request",
    ])
      if (value[optional] !== undefined) {
        const { [optional]: _, ...rest } = value;
        yield rest;
      }
  if (isJsonObject(value) && isJsonObject(value["properties"]))
    for (const name of Object.keys(value["properties"])) {
      const { [name]: _, ...rest } = value["properties"];
      yield { ...value, properties: rest };
    }
  if (value === true) yield false;
}

function* places(value: Plain, path: readonly Key[] = []): Generator<readonly [readonly Key[], Plain]> {
  yield [path, value];
  if (Array.isArray(value))
    for (const [index, each] of (value as readonly Plain[]).entries()) yield* places(each, [...path, index]);
  else if (isJsonObject(value))
    for (const [key, each] of Object.entries(value)) yield* places(each, [...path, key]);
}

/** Every case that is one piece smaller, the biggest pieces first. */
export function* shrinks<T>(value: T): Generator<T> {
  // The shape may be lost (a list that must not be empty, say): what cannot be asked then counts as no failure.
  for (const [path, at] of places(value))
    for (const less of smaller(at)) yield replaceAt(value, path, less) as T;
}
