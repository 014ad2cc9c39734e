import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import type { SimulatedQuestion, SimulationExample, SimulationInputs } from "@ikg/contracts";
import { type Database, DataFault, type Graph, type StatementOptions, StatementTimeout } from "@ikg/graph";
import type { DecisionSwitches } from "@ikg/policy-core/statements";
import { DatabaseHits } from "./database-hits.ts";
import { addTo } from "./estimate.ts";
import { type GraphSource, sourcesOf } from "./graph-sources.ts";
import { canBeRefused } from "./inputs.ts";
import { questionReport } from "./question-report.ts";
import type { QuestionState } from "./question-state.ts";
import type { AffectedQuestion } from "./questions.ts";
import { orderEnd, orderStart, randomOrder } from "./random-order.ts";
import { canScan, type Comparison, type PreparedScan, prepareScan } from "./scan-page.ts";
import { type SubjectPage, SubjectPages } from "./subject-pages.ts";
import { type DecideOnce, type DifferingPair, trySubject, type TriedSubject } from "./try-pairs.ts";

const largestPage = 20_000;

export interface RunParts {
  readonly snapshots: { readonly before: ProjectSnapshot; readonly after: ProjectSnapshot };
  readonly changed: ReadonlySet<StoredKbacPolicy>;
  readonly graph: Graph;
  /** The default database of the project. */
  readonly database: Database;
  readonly decide: DecideOnce;
  readonly switches: DecisionSwitches;
  readonly inputs: SimulationInputs;
  readonly seed: number;
  readonly examples: number;
  readonly options: () => StatementOptions;
  /** The time of the simulation is over. */
  readonly isOver: () => boolean;
}

/** Milliseconds that a page is to take: short enough for progress and for other requests, long enough to be worth its start. */
const pageMs = 250;

type Side = "gained" | "lost";
type State = "before" | "after";

/** What one page of subjects has: numbers of pairs, subject by subject, and some of the pairs. */
interface PageResult {
  readonly pairs: readonly Readonly<Record<Side, number>>[];
  readonly granted: readonly Readonly<Record<State, number>>[];
  readonly examples: Readonly<Record<Side, readonly SimulationExample[]>>;
}

/** One question of a simulation, examined page by page. */
export class QuestionRun {
  readonly #question: AffectedQuestion;
  readonly #parts: RunParts;
  readonly #state: QuestionState;
  readonly #sources: readonly GraphSource[];
  readonly #pages: SubjectPages;
  readonly #scans: Readonly<Record<Side, PreparedScan>> | undefined;
  readonly #grants: Readonly<Record<State, PreparedScan>> | undefined;
  readonly #examples: Record<Side, SimulationExample[]> = { gained: [], lost: [] };
  readonly #skipped: string[] = [];
  readonly #hits = new DatabaseHits();

  constructor(question: AffectedQuestion, parts: RunParts, state: QuestionState) {
    const { snapshots, database, changed, switches, inputs, seed } = parts;
    const { pk } = snapshots.before.project;
    this.#question = question;
    this.#parts = parts;
    this.#state = state;
    this.#sources = sourcesOf(parts.graph, snapshots.before.project, question, inputs);
    this.#pages = new SubjectPages(
      randomOrder(this.#sources, { pk, type: question.subjectType, seed }, parts.options),
    );
    // Then unchanged policies decide otherwise as well.
    const comparesAll = canBeRefused(question, inputs);
    const found = (list: readonly StoredKbacPolicy[]) =>
      list.filter((each) => comparesAll || changed.has(each));
    const gained: Comparison = { state: "after", found: found(question.after), except: question.before };
    const lost: Comparison = { state: "before", found: found(question.before), except: question.after };
    const scan = { project: snapshots.before.project, database, switches, question, inputs };
    const before: Comparison = { state: "before", found: question.before, except: [] };
    const after: Comparison = { state: "after", found: question.after, except: [] };
    this.#scans =
      canScan(gained) && canScan(lost)
        ? { gained: prepareScan(scan, gained), lost: prepareScan(scan, lost) }
        : undefined;
    this.#grants =
      this.#scans && canScan(before) && canScan(after)
        ? { before: prepareScan(scan, before), after: prepareScan(scan, after) }
        : undefined;
    // To decide pair by pair takes long for one subject.
    if (this.#scans === undefined && state.position === orderStart) state.pageSize = 1;
  }

  get state(): QuestionState {
    return this.#state;
  }

  /** Every pair that differs is known. */
  get isComplete(): boolean {
    return this.#state.position >= orderEnd && this.#state.skipped === 0;
  }

  /** Every pair that differs is known, as far as it can be. */
  get isExamined(): boolean {
    return this.#state.position >= orderEnd;
  }

  /** Nothing more can be found out. */
  get isFinished(): boolean {
    // Deciding pair by pair counts those that are granted, too.
    return this.isExamined && (this.#scans === undefined || this.#state.grantedPosition >= orderEnd);
  }

  /** Examines one page of subjects, or finds that it has to be smaller. */
  async step(): Promise<void> {
    const isCounting = this.isExamined;
    const state = this.#state;
    let page: SubjectPage | undefined;
    if (isCounting && this.#grants === undefined && state.grantedPosition === orderStart) state.pageSize = 1;
    try {
      page = await this.#pages.after(isCounting ? state.grantedPosition : state.position, state.pageSize);
      const since = performance.now();
      const isDone = await (isCounting ? this.#countGranted(page) : this.#examine(page));
      if (isDone) this.#adapt(performance.now() - since, page.ids.length);
    } catch (error) {
      if (!(error instanceof StatementTimeout)) throw error;
      if (page !== undefined) this.#makeSmaller(page, isCounting);
    }
  }

  #adapt(ms: number, subjects: number): void {
    const state = this.#state;
    if (subjects < state.pageSize && ms < pageMs) return;
    const factor = Math.min(4, Math.max(0.25, pageMs / Math.max(1, ms)));
    state.pageSize = Math.min(largestPage, Math.max(1, Math.round(state.pageSize * factor)));
  }

  /** After a statement that did not end in time: a smaller page is next, or one subject is left out. */
  #makeSmaller({ ids, until }: SubjectPage, isCounting: boolean): void {
    const state = this.#state;
    if (state.pageSize > 1) {
      state.pageSize = Math.max(1, Math.floor(Math.min(state.pageSize, ids.length) / 4));
      return;
    }
    // There may be more time for it in the simulation that continues here.
    if (this.#parts.isOver()) return;
    if (isCounting) state.grantedPosition = until;
    else {
      state.skipped += ids.length;
      this.#skipped.push(...ids.slice(0, Math.max(0, this.#parts.examples - this.#skipped.length)));
      state.position = until;
    }
  }

  /** Nothing is kept of a page that was examined in part. @returns whether the page is done. */
  async #examine(page: SubjectPage): Promise<boolean> {
    const result = await this.#orPairs(page, (scans) => this.#scan(scans, page.ids), this.#scans);
    if (result === undefined) return false;
    const state = this.#state;
    for (const { gained, lost } of result.pairs) {
      addTo(state.gained, gained);
      addTo(state.lost, lost);
    }
    // Otherwise pages of their own count what is granted.
    if (this.#scans === undefined) this.#addGranted(result.granted);
    this.#examples.gained.push(...result.examples.gained.slice(0, this.#wanted("gained")));
    this.#examples.lost.push(...result.examples.lost.slice(0, this.#wanted("lost")));
    state.position = page.until;
    return true;
  }

  async #countGranted(page: SubjectPage): Promise<boolean> {
    const count = async (grants: Readonly<Record<State, PreparedScan>>): Promise<PageResult> => {
      const options = this.#parts.options();
      const before = await grants.before.count(page.ids, options);
      const after = await grants.after.count(page.ids, options);
      const granted = page.ids.map((id) => ({ before: before.get(id) ?? 0, after: after.get(id) ?? 0 }));
      return { pairs: [], granted, examples: { gained: [], lost: [] } };
    };
    const result = await this.#orPairs(page, count, this.#grants);
    if (result === undefined) return false;
    this.#addGranted(result.granted);
    this.#state.grantedPosition = page.until;
    return true;
  }

  #addGranted(granted: PageResult["granted"]): void {
    for (const { before, after } of granted) {
      addTo(this.#state.granted.before, before);
      addTo(this.#state.granted.after, after);
    }
  }

  /** Scans a page, or decides its pairs where there is no scan. @returns undefined when nothing is known yet. */
  async #orPairs<T>(
    { ids }: SubjectPage,
    scan: (scans: T) => Promise<PageResult>,
    scans: T | undefined,
  ): Promise<PageResult | undefined> {
    if (scans === undefined) return this.#tryPairs(ids);
    try {
      return await scan(scans);
    } catch (error) {
      if (!(error instanceof DataFault)) throw error;
      // A value that the statement cannot be evaluated with concerns some pairs alone.
      if (this.#state.pageSize === 1) return this.#tryPairs(ids);
      this.#state.pageSize = Math.max(1, Math.floor(Math.min(this.#state.pageSize, ids.length) / 4));
      return undefined;
    }
  }

  async #scan(scans: Readonly<Record<Side, PreparedScan>>, subjects: readonly string[]): Promise<PageResult> {
    const options = this.#hits.options(this.#parts.options());
    const gained = await scans.gained.count(subjects, options);
    const lost = await scans.lost.count(subjects, options);
    this.#hits.examined(subjects.length);
    return {
      pairs: subjects.map((id) => ({ gained: gained.get(id) ?? 0, lost: lost.get(id) ?? 0 })),
      granted: [],
      examples: {
        gained: await this.#findExamples("gained", scans.gained, gained),
        lost: await this.#findExamples("lost", scans.lost, lost),
      },
    };
  }

  #wanted(side: Side): number {
    return Math.max(0, this.#parts.examples - this.#examples[side].length);
  }

  async #findExamples(
    side: Side,
    scan: PreparedScan,
    counts: ReadonlyMap<string, number>,
  ): Promise<readonly SimulationExample[]> {
    const wanted = this.#wanted(side);
    if (wanted === 0 || counts.size === 0) return [];
    // As many subjects as there are examples: each of them has a pair.
    return scan.examples([...counts.keys()].slice(0, wanted), wanted, this.#parts.options());
  }

  async #tryPairs(subjects: readonly string[]): Promise<PageResult | undefined> {
    const { inputs, snapshots, decide, isOver, options } = this.#parts;
    const tried: (TriedSubject & { readonly subject: string })[] = [];
    for (const subject of subjects) {
      const trial = {
        question: this.#question,
        inputs,
        snapshots,
        sources: this.#sources,
        decide,
        options,
        isOver,
      };
      const result = await trySubject(trial, subject);
      if (result === "over") return undefined;
      // As for a page that is scanned: a smaller one is next, or the subject is left out.
      if (result === "undecided") throw new StatementTimeout(options().timeoutMs);
      tried.push({ ...result, subject });
    }
    const examples = (side: Side): readonly SimulationExample[] => {
      const all = tried.flatMap(({ subject, [side]: pairs }) =>
        pairs.map(({ resource, by }: DifferingPair) => ({ subject, resource, policies: [by] })),
      );
      return all.slice(0, this.#wanted(side));
    };
    return {
      pairs: tried.map(({ gained, lost }) => ({ gained: gained.length, lost: lost.length })),
      granted: tried.map(({ granted }) => granted),
      examples: { gained: examples("gained"), lost: examples("lost") },
    };
  }

  /** Database hits of the subjects that were examined; undefined where no page was scanned. */
  get databaseHits(): number | undefined {
    return this.#hits.estimate(this.#state.gained.examined);
  }

  /** What is known so far. */
  report(): SimulatedQuestion {
    return questionReport({
      question: this.#question,
      state: this.#state,
      isComplete: this.isComplete,
      total: this.#pages.total,
      examples: this.#examples,
      skipped: this.#skipped,
      method: this.#scans === undefined ? "pairs" : "scan",
    });
  }
}
