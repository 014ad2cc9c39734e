import type { Database } from "@ikg/graph";
import { keyField, locationField, nodeField, seekNodes } from "@ikg/physical";
import { expectedProperties } from "../score/completeness.ts";
import { type Run } from "./run-record.ts";
import { typeLimits } from "./ranges.ts";

/** One statement over a whole type. */
const timeoutMs = 30 * 60_000;

/** Without proxies of nodes in other databases. */
const nodes = `${seekNodes}
WHERE n.${keyField} > $after AND n.${keyField} < $upTo AND n.${locationField} IS NULL`;

const countText = `${nodes} RETURN count(n) AS total`;

/**
 * How many nodes have filled which fields: values that are no empty text and no empty list, and references to a resolver.
 * Most fields are metadata, so names are looked at before values.
 */
const filledText = `${nodes}
UNWIND [f IN keys(n) WHERE (NOT f CONTAINS '.' OR f ENDS WITH '.external_value' OR f STARTS WITH '_p.')
  AND NOT (n[f] = [] OR coalesce(trim(toStringOrNull(n[f])) = '', false))] AS field
RETURN field, count(*) AS filled`;

const boundText = `${seekNodes} WHERE n.${keyField} > $after AND n.${keyField} < $upTo
WITH n.${keyField} AS k ORDER BY k SKIP $skip LIMIT 1 RETURN k`;

/** The nodes of a run, examined once before its first page. */
export interface Population {
  readonly total: number;
  /** The properties that completeness expects. */
  readonly expected: readonly string[];
  /** Last keys of all ranges but the last one. */
  readonly bounds: readonly string[];
}

export interface PopulationSettings {
  readonly rangeSize: number;
  readonly minShare: number;
}

const maxRanges = 64;

/** The property of which a field is the value or the reference; undefined for other fields. */
const filledProperty = (field: string): string | undefined => {
  const known = nodeField(field);
  if (known?.kind !== "value" && known?.kind !== "external_value") return undefined;
  return known.property.startsWith("_") ? undefined : known.property;
};

const expectedOf = async (
  database: Database,
  limits: { readonly after: string; readonly upTo: string },
  total: number,
  minShare: number,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const filled = new Map<string, number>();
  for (const row of await database.read(filledText, limits, { timeoutMs, signal })) {
    const property = filledProperty(String(row["field"]));
    // A property has either a value or a reference.
    if (property !== undefined) filled.set(property, (filled.get(property) ?? 0) + Number(row["filled"]));
  }
  return expectedProperties(filled, total, minShare).toSorted();
};

/** Last keys of all ranges but the last one. Each statement seeks from one bound to the next, so that each key is read once. */
const boundsOf = async (
  database: Database,
  limits: { readonly after: string; readonly upTo: string },
  total: number,
  rangeSize: number,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const count = Math.min(maxRanges, Math.ceil(total / rangeSize));
  const bounds: string[] = [];
  const skip = Math.ceil(total / count) - 1;
  for (let after = limits.after; bounds.length < count - 1;) {
    const [row] = await database.read(boundText, { ...limits, after, skip }, { timeoutMs, signal });
    if (row === undefined) break;
    bounds.push((after = String(row["k"])));
  }
  return bounds;
};

/**
 * Examines all nodes of the type of a run: their number, the properties that completeness expects, the bounds of ranges.
 *
 * @throws as `Database.read`.
 */
export const populationOf = async (
  database: Database,
  { pk, type, dimensions }: Pick<Run, "pk" | "type" | "dimensions">,
  { rangeSize, minShare }: PopulationSettings,
  signal: AbortSignal,
): Promise<Population> => {
  const limits = typeLimits({ pk, type });
  const [row] = await database.read(countText, limits, { timeoutMs, signal });
  const total = Number(row?.["total"]);
  const hasCompleteness = dimensions.some(({ name }) => name === "COMPLETENESS");
  const expected = hasCompleteness ? await expectedOf(database, limits, total, minShare, signal) : [];
  const bounds = await boundsOf(database, limits, total, rangeSize, signal);
  return { total, expected, bounds };
};
