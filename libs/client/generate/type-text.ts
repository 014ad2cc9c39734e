/** TypeScript types from schemas of the contract. */
import type { z } from "zod";

/** What goes in is what a caller may send; what comes out is what a response has. */
export type Direction = "input" | "output";

export interface TypeTextOptions {
  readonly direction: Direction;
  /** Schemas that have a type of their own. */
  readonly names: ReadonlyMap<z.ZodType, string>;
  /**
   * Types of members whose schema says nothing, by their path from the named type: `Property.value`. `undefined` leaves
   * the member out.
   */
  readonly members: ReadonlyMap<string, string | undefined>;
}

/** The parts of a definition of zod 4 that say what a schema is. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly valueType?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
}

const definitionOf = (schema: z.ZodType): Definition => schema.def;

const union = (types: readonly string[]): string => {
  const distinct = [...new Set(types)].filter(
    (type, _, all) => !type.startsWith('"') || !all.includes("string"),
  );
  return distinct.length === 1 ? (distinct[0] ?? "never") : distinct.join(" | ");
};

const literals = (values: readonly unknown[]): string =>
  union(values.map((value) => (value === undefined ? "undefined" : JSON.stringify(value))));

/** A schema that takes anything and judges it in code. */
const saysNothing = (text: string): boolean => /^(readonly )?unknown(\[\])?$/.test(text);

/** @throws Error for a schema whose type has to be given in `members`. */
export const typeText = (schema: z.ZodType, path: string, options: TypeTextOptions): string => {
  const name = options.names.get(schema);
  return name !== undefined && name !== path ? name : inlineText(schema, path, options);
};

const inlineText = (schema: z.ZodType, path: string, options: TypeTextOptions): string => {
  const definition = definitionOf(schema);
  const { innerType, element, valueType } = definition;
  const text = (part: z.ZodType | undefined): string => {
    if (part === undefined) throw new Error(`${path}: ${definition.type} without its part`);
    return typeText(part, path, options);
  };
  switch (definition.type) {
    case "string":
    case "boolean":
    case "number":
    case "unknown":
      return definition.type;
    case "literal":
      return literals(definition.values ?? []);
    case "enum":
      return literals(Object.values(definition.entries ?? {}));
    case "array":
      return arrayText(text(element), options.direction);
    case "record":
      return `Record<string, ${text(valueType)}>`;
    case "union":
      return union((definition.options ?? []).map(text));
    // `null` means the same as absent, so a caller needs one of them only.
    case "optional":
    case "nullable":
    case "readonly":
    case "default":
      return text(innerType);
    case "object":
      return objectText(definition, path, options);
    case "pipe":
      return pipeText(definition, path, options);
    default:
      throw new Error(`${path}: no type for a schema of the kind ${definition.type}`);
  }
};

const arrayText = (element: string, direction: Direction): string => {
  const entry = /[|{ ]/.test(element) ? `(${element})` : element;
  return direction === "input" ? `readonly ${entry}[]` : `${entry}[]`;
};

/** A list is judged by its length first, so that its input is a list of anything. */
const pipeText = ({ in: from, out: to }: Definition, path: string, options: TypeTextOptions): string => {
  if (from === undefined || to === undefined) throw new Error(`${path}: pipe without ends`);
  const isCode = definitionOf(to).type === "transform";
  const isWanted = options.direction === "output" && !isCode;
  const text = isWanted ? typeText(to, path, options) : typeText(from, path, options);
  if (!saysNothing(text)) return text;
  if (isCode) throw new Error(`${path}: state its type in members`);
  return typeText(to, path, options);
};

/** True for what can be declared as an interface. */
export const isObject = (schema: z.ZodType): boolean => {
  const { type, in: from } = definitionOf(schema);
  return type === "object" || (type === "pipe" && from !== undefined && isObject(from));
};

const isOptional = (schema: z.ZodType, direction: Direction): boolean => {
  const { optin, optout } = schema["_zod"];
  return (direction === "input" ? optin : optout) === "optional";
};

const objectText = ({ shape = {}, catchall }: Definition, path: string, options: TypeTextOptions): string => {
  const members = Object.entries(shape).flatMap(([key, schema]) => {
    const place = `${path}.${key}`;
    const stated = options.members.has(place);
    const type = stated ? options.members.get(place) : typeText(schema, place, options);
    if (type === undefined) return [];
    const optional = isOptional(schema, options.direction) && !type.endsWith("!");
    const orUndefined = optional && type !== "unknown" ? " | undefined" : "";
    return [`${memberName(key)}${optional ? "?" : ""}: ${type.replace(/!$/, "")}${orUndefined};`];
  });
  const open = catchall !== undefined && definitionOf(catchall).type === "unknown";
  return `{ ${members.join(" ")}${open ? " [key: string]: unknown;" : ""} }`;
};

export const memberName = (key: string): string => (/^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key));
