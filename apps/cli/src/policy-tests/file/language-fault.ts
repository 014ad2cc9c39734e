import type { Place, Source } from "@ikg/sources";

type Path = readonly PropertyKey[];

const stepsOf = (path: string): readonly PropertyKey[] =>
  path
    .split(/[.[\]]+/)
    .filter((step) => step !== "")
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/**
 * Finds the position of an error of the policy language: `policy.condition.cypher: … (line 1, column 5)`. The path of the error is
 * relative to the object at `path`.
 */
export const languageFaultPlace = (source: Source, path: Path, fault: string): Place => {
  const [where = ""] = fault.split(": ", 1);
  const [, ...steps] = stepsOf(where);
  const full = [...path, ...steps];
  const [, line, column] = /\(line (\d+), column (\d+)\)$/.exec(fault) ?? [];
  return line === undefined || column === undefined
    ? source.placeOf(full)
    : source.placeInText(full, Number(line), Number(column));
};
