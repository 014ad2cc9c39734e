import { CommandFault } from "../command-environment.ts";
import type { Fields } from "./project-files.ts";

/** `${NAME}`. An additional dollar sign escapes it. */
const placeholder = /^(\$+)\{([A-Za-z_][A-Za-z0-9_]*)\}$/;

/** Escapes texts that look like a placeholder with an additional dollar sign. */
export const escapePlaceholders = (value: unknown): unknown => {
  if (typeof value === "string") return placeholder.test(value) ? `$${value}` : value;
  if (Array.isArray(value)) return value.map(escapePlaceholders);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, escapePlaceholders(each)]));
};

/** Parses the JSON of a secret that is an object. */
const valueOf = (text: string): unknown => {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Replaces `${NAME}` in a record by the values of the environment; also returns the missing names. */
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

/** @throws CommandFault with all missing variables */
export const requireVariables = (missing: readonly string[]): void => {
  if (missing.length > 0)
    throw new CommandFault(`environment variables required for secrets: ${[...new Set(missing)].join(", ")}`);
};
