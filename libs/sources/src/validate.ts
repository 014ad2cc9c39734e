import type { z } from "zod";
import type { Faults } from "./fault.ts";
import type { Source } from "./source.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** How far an issue is from being none; a value of another kind is further than anything in it. */
const weight = (issue: Issue): number => {
  if (issue.code === "unrecognized_keys") return issue.keys.length;
  return issue.path.length === 0 && issue.code === "invalid_type" ? 100 : 1;
};

const weightOf = (issues: readonly Issue[]): number => issues.reduce((sum, issue) => sum + weight(issue), 0);

/** Keys that distinguish the alternatives. */
const discriminators: ReadonlySet<PropertyKey | undefined> = new Set([
  "decision",
  "query",
  "search",
  "meta",
  "resources",
  "subjects",
  "actions",
]);

const isMissing = ({ code, input, path }: Issue): boolean =>
  (code === "invalid_type" || code === "invalid_union") && input === undefined && path.length > 0;

const lacksDiscriminator = (issue: Issue): boolean =>
  isMissing(issue) && issue.path.length === 1 && discriminators.has(issue.path[0]);

/** The intended alternative: the only one that comes nearest of those whose discriminators key is there. */
const nearest = (errors: readonly (readonly Issue[])[]): readonly Issue[] | undefined => {
  const possible = errors.filter((issues) => weightOf(issues) < 100 && !issues.some(lacksDiscriminator));
  const least = Math.min(...possible.map(weightOf));
  const found = possible.filter((issues) => weightOf(issues) === least);
  return found.length === 1 ? found[0] : undefined;
};

const last = (path: Path): string => String(path.at(-1) ?? "");

/** A message that names its field; entries of lists are named by their place. */
const named = (path: Path, message: string): string =>
  typeof path.at(-1) === "string" ? `${last(path)}: ${message}` : message;

const report = (source: Source, issue: Issue, prefix: Path, faults: Faults): void => {
  const path = [...prefix, ...issue.path];
  if (issue.code === "invalid_union") {
    const issues = nearest(issue.errors);
    if (issues !== undefined) {
      for (const inner of issues) report(source, inner, path, faults);
      return;
    }
  }
  if (issue.code === "unrecognized_keys") {
    for (const key of issue.keys)
      faults.add(
        source.placeOfKey(path, key),
        issue.message.replace(issue.keys.join(", "), JSON.stringify(key)),
      );
    return;
  }
  faults.add(
    source.placeOf(path),
    isMissing(issue)
      ? `${JSON.stringify(last(path))} is required: ${issue.message}`
      : named(path, issue.message),
  );
};

/**
 * Validates what stands at a path of a file, with every fault at its place.
 *
 * @returns the value; undefined when there are faults.
 */
export const validate = <S extends z.ZodType>(
  schema: S,
  source: Source,
  value: unknown,
  faults: Faults,
  path: Path = [],
): z.output<S> | undefined => {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  for (const issue of result.error.issues) report(source, issue, path, faults);
  return undefined;
};
