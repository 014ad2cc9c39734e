import type { Counter, Gauge } from "prom-client";

/** The label of all projects that have no series of their own. */
const otherProjects = "other";

/** How often the projects that have series are selected again, in milliseconds. */
const windowMs = 60_000;
/** Projects without series whose use is remembered, as a multiple of those with some. */
const rememberedFactor = 4;
/** A project takes the series of one that was used this many times less. */
const margin = 2;

/** Counts for one project, or for one project and the value of one more label. */
export type CountForProject = (project: string, amount?: number, more?: string) => void;

/**
 * Series of projects, at most so many at one time: the projects that are used most have some of their own, the others one for
 * all of them together. Series of a project that is used no more make room for those of another.
 */
export interface ProjectSeries {
  /** @param more name of a label besides `project`, of few values. */
  counts(counter: Counter, more?: string): CountForProject;
  /** Sets a gauge to these values, those of the projects that have the most. */
  show(gauge: Gauge, values: ReadonlyMap<string, number>): void;
}

class BusiestProjects implements ProjectSeries {
  readonly #most: number;
  readonly #now: () => number;
  /** Projects with series, and their use in this window and, halved each time, in those before. */
  readonly #shown = new Map<string, number>();
  readonly #others = new Map<string, number>();
  /** Called with a project whose series go. */
  readonly #drops: ((project: string) => void)[] = [];
  #window = 0;

  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  counts(counter: Counter, more?: string): CountForProject {
    const valuesOf = new Map<string, Set<string>>();
    const labelsOf = (project: string, value: string): Record<string, string> =>
      more === undefined ? { project } : { project, [more]: value };
    this.#drops.push((project) => {
      for (const value of valuesOf.get(project) ?? []) counter.remove(labelsOf(project, value));
      valuesOf.delete(project);
    });
    return (project, amount = 1, value = "") => {
      const label = this.#labelOf(project);
      const values = valuesOf.get(label);
      if (values === undefined) valuesOf.set(label, new Set([value]));
      else values.add(value);
      counter.inc(labelsOf(label, value), amount);
    };
  }

  show(gauge: Gauge, values: ReadonlyMap<string, number>): void {
    const sorted = [...values].toSorted(([, a], [, b]) => b - a);
    gauge.reset();
    for (const [project, value] of sorted.slice(0, this.#most)) gauge.set({ project }, value);
    const rest = sorted.slice(this.#most).reduce((sum, [, value]) => sum + value, 0);
    if (rest > 0) gauge.set({ project: otherProjects }, rest);
  }

  #labelOf(project: string): string {
    const window = Math.floor(this.#now() / windowMs);
    if (window !== this.#window) this.#decide();
    this.#window = window;
    const uses = this.#shown.get(project);
    if (uses !== undefined || this.#shown.size < this.#most) {
      this.#shown.set(project, (uses ?? 0) + 1);
      return project;
    }
    const others = this.#others.get(project);
    if (others !== undefined || this.#others.size < rememberedFactor * this.#most)
      this.#others.set(project, (others ?? 0) + 1);
    return otherProjects;
  }

  /** Lets the busiest of the others take the places of the least used. */
  #decide(): void {
    const candidates = [...this.#others].toSorted(([, a], [, b]) => b - a);
    const least = [...this.#shown].toSorted(([, a], [, b]) => a - b);
    candidates.forEach(([project, uses], at) => {
      const [former, formerUses] = least[at] ?? [];
      if (former === undefined || formerUses === undefined || uses <= margin * formerUses) return;
      this.#shown.delete(former);
      this.#shown.set(project, uses);
      for (const drop of this.#drops) drop(former);
    });
    for (const [project, uses] of this.#shown) this.#shown.set(project, uses / 2);
    this.#others.clear();
  }
}

/** @param most projects with series of their own; 0: none. */
export const openProjectSeries = (most: number, now: () => number = Date.now): ProjectSeries =>
  new BusiestProjects(most, now);
