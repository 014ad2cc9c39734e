import { createHash } from "node:crypto";

export const inputParamModes = ["values", "hashes", "none"] as const;
export const valueModes = ["names", "full"] as const;

export interface RedactionSettings {
  readonly inputParams: (typeof inputParamModes)[number];
  readonly values: (typeof valueModes)[number];
}

const longest = 1024;
/** What is deeper than this says nothing that a reader of records needs. */
const deepest = 16;

const cut = (text: string): string => {
  // A half of a surrogate pair has no JSON text that everybody agrees on.
  const whole = text.toWellFormed();
  return whole.length <= longest
    ? whole
    : `${whole.slice(0, longest).toWellFormed()}… (cut, ${whole.length} characters)`;
};

const hashOf = (value: unknown): string =>
  `sha256:${createHash("sha256")
    .update(JSON.stringify(value) ?? "")
    .digest("hex")}`;

const cutAll = (value: unknown, depth: number): unknown => {
  if (typeof value === "string") return cut(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= deepest) return "… (cut, too deep)";
  if (Array.isArray(value)) return value.map((each) => cutAll(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      each === undefined ? [] : [[cut(name), cutAll(each, depth + 1)]],
    ),
  );
};

const inputs = new Set(["input_params", "inputs"]);

const redacted = (
  name: string,
  value: unknown,
  settings: RedactionSettings,
): readonly (readonly [string, unknown])[] => {
  if (value === undefined) return [];
  if (name === "values") return settings.values === "full" ? [[name, cutAll(value, 0)]] : [];
  if (name === "evaluations" && Array.isArray(value))
    return [[name, value.map((each) => redactData(each as Readonly<Record<string, unknown>>, settings))]]; // entries are objects
  if (!inputs.has(name)) return [[name, cutAll(value, 0)]];
  if (settings.inputParams === "none") return [];
  if (settings.inputParams === "values") return [[name, cutAll(value, 0)]];
  const hashes = Object.entries(value as Readonly<Record<string, unknown>>); // inputs are maps
  return [[name, Object.fromEntries(hashes.map(([key, each]) => [cut(key), hashOf(each)]))]];
};

/**
 * The `data` of a record as it may be kept: values of properties only with `AUDIT_VALUES=full`, those of input
 * parameters as `AUDIT_INPUT_PARAMS` says, texts over 1024 characters cut and marked.
 */
export const redactData = (
  data: Readonly<Record<string, unknown>>,
  settings: RedactionSettings,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).flatMap(([name, value]) => redacted(name, value, settings)));
