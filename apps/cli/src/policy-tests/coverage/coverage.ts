import type { FileResult } from "../run/result.ts";
import { observe } from "./observe.ts";
import { type Subject, subjectsOf } from "./units.ts";

/** The coverage of one policy or query. */
export interface SubjectCoverage {
  readonly kind: Subject["kind"];
  readonly name: string;
  readonly place: string;
  readonly asked: number;
  readonly granted: number;
  readonly denied: number;
  readonly covered: number;
  readonly total: number;
  readonly missing: readonly string[];
}

export interface Coverage {
  readonly subjects: readonly SubjectCoverage[];
  readonly covered: number;
  readonly total: number;
  /** 0 to 100; 100 if there is nothing to cover. */
  readonly percent: number;
}

const subjectCoverage = (subject: Subject, counts: ReadonlyMap<string, number>): SubjectCoverage => {
  const missing = subject.units.filter(({ key }) => !counts.has(key)).map((unit) => unit.missing);
  const { kind, name, place, units } = subject;
  const of = (unit: string): number => counts.get(unit) ?? 0;
  return {
    kind,
    name,
    place,
    asked: of("asked"),
    granted: of("granted"),
    denied: of("denied"),
    covered: units.length - missing.length,
    total: units.length,
    missing: of("asked") === 0 ? [`never asked`] : missing,
  };
};

/** The coverage of all files; a policy that several files use counts once. */
export const coverageOf = (results: readonly FileResult[]): Coverage => {
  const subjects = new Map<string, Subject>();
  const counts = new Map<string, Map<string, number>>();
  const count = (key: string, unit: string): void => {
    const units = counts.get(key) ?? new Map<string, number>();
    units.set(unit, (units.get(unit) ?? 0) + 1);
    counts.set(key, units);
  };
  for (const { world, observations } of results) {
    if (world === undefined) continue;
    for (const subject of subjectsOf(world)) subjects.set(subject.key, subject);
    for (const observation of observations) observe(world, observation, count);
  }
  const all = [...subjects.values()].map((each) => subjectCoverage(each, counts.get(each.key) ?? new Map()));
  const sum = (of: (each: SubjectCoverage) => number): number =>
    all.reduce((total, each) => total + of(each), 0);
  const [covered, total] = [sum((each) => each.covered), sum((each) => each.total)];
  return { subjects: all, covered, total, percent: total === 0 ? 100 : (covered / total) * 100 };
};
