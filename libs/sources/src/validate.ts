import type { z } from "zod";
import type { DiagnosticList } from "./diagnostic.ts";
import type { Source } from "./source.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Weight of an issue when union alternatives are compared; a wrong type outweighs any issue inside the value. */
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

/** The issues of the intended alternative: the single one with the least weight whose discriminator is present. */
const nearest = (errors: readonly (readonly Issue[])[]): readonly Issue[] | undefined => {
  const possible = errors.filter((issues) => weightOf(issues) < 100 && !issues.some(lacksDiscriminator));
  const minWeight = Math.min(...possible.map(weightOf));
  const found = possible.filter((issues) => weightOf(issues) === minWeight);
  return found.length === 1 ? found[0] : undefined;
};

const last = (path: Path): string => String(path.at(-1) ?? "");

/** Prefixes a message with its field; entries of lists are identified by their position. */
const withField = (path: Path, message: string): string =>
  typeof path.at(-1) === "string" ? `${last(path)}: ${message}` : message;

const report = (source: Source, issue: Issue, prefix: Path, faults: DiagnosticList): void => {
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
        // A function, because a text may hold patterns of replacements.
        issue.message.replace(issue.keys.join(", "), () => JSON.stringify(key)),
      );
    return;
  }
  faults.add(
    source.placeOf(path),
    isMissing(issue)
      ? `${JSON.stringify(last(path))} is required: ${issue.message}`
      : withField(path, issue.message),
  );
};

/**
 * Validates the value at a path of a file, and adds each fault with its position.
 *
 * @returns the value; undefined if it is invalid.
 */
export const validate = <S extends z.ZodType>(
  schema: S,
  source: Source,
  value: unknown,
  faults: DiagnosticList,
  path: Path = [],
): z.output<S> | undefined => {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  for (const issue of result.error.issues) report(source, issue, path, faults);
  return undefined;
};
