import { CommandFault } from "../surroundings.ts";
import type { Fields } from "./project-files.ts";

/** `${NAME}`; with more dollar signs it is a text that has one sign fewer. */
const placeholder = /^(\$+)\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** A value as files have it: a text that looks like a placeholder gets one more dollar sign. */
export const escaped = (value: unknown): unknown => {
  if (typeof value === "string") return placeholder.test(value) ? `$${value}` : value;
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, escaped(each)]));
};

/** A secret may be an object: its JSON is in the variable then. */
const valueOf = (text: string): unknown => {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Secrets of a record: what the environment has for `${NAME}`, and the names that it has not. */
export const withSecrets = (
  fields: Fields,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly fields: Fields; readonly missing: readonly string[] } => {
  const missing: string[] = [];
  const filled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each)]));
    const [whole, signs = "", name] = typeof value === "string" ? (placeholder.exec(value) ?? []) : [];
    if (whole === undefined || name === undefined) return value;
    if (signs.length > 1) return whole.slice(1);
    const text = environment[name];
    if (text !== undefined) return valueOf(text);
    missing.push(name);
    return undefined;
  };
  const entries = Object.entries(fields).map(([name, value]) => [name, filled(value)] as const);
  return { fields: Object.fromEntries(entries.filter(([, value]) => value !== undefined)), missing };
};

/** @throws CommandFault that names every variable */
export const requireVariables = (missing: readonly string[]): void => {
  if (missing.length > 0)
    throw new CommandFault(`secrets expected in the environment: ${[...new Set(missing)].join(", ")}`);
};
