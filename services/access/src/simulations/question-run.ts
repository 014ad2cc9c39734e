import type { ProjectSnapshot, StoredKbacPolicy } from "@ikg/catalog";
import type { SimulatedQuestion, SimulationExample, SimulationInputs } from "@ikg/contracts";
import { type Database, DataFault, type StatementOptions, StatementTimeout } from "@ikg/graph";
import type { DecisionOptions } from "@ikg/policy-core/statements";
import { addTo, emptyTally, estimate, type Tally } from "./estimate.ts";
import { canBeRefused } from "./inputs.ts";
import type { AffectedQuestion } from "./questions.ts";
import { orderEnd, orderStart, type Placed, randomOrder } from "./random-order.ts";
import { canScan, type PreparedScan, prepareScan } from "./scan-page.ts";
import { type DecideOnce, type DifferingPair, type PairTrial, trySubject } from "./try-pairs.ts";

/** What is known of one question, and where it goes on. Small enough to be handed to the caller. */
export interface QuestionState {
  /** Subjects up to this place of the random order are examined. */
  position: number;
  readonly gained: Tally;
  readonly lost: Tally;
  /** Pairs that are granted, before and after; pages of their own count them, up to `grantedPosition`. */
  readonly granted: { readonly before: Tally; readonly after: Tally };
  grantedPosition: number;
}

export const newState = (): QuestionState => ({
  position: orderStart,
  gained: emptyTally(),
  lost: emptyTally(),
  granted: { before: emptyTally(), after: emptyTally() },
  grantedPosition: orderStart,
});

export interface RunParts {
  readonly views: { readonly before: ProjectSnapshot; readonly after: ProjectSnapshot };
  readonly changed: ReadonlySet<StoredKbacPolicy>;
  readonly database: Database;
  readonly decide: DecideOnce;
  readonly switches: DecisionOptions;
  readonly inputs: SimulationInputs;
  readonly seed: number;
  readonly examples: number;
  readonly options: () => StatementOptions;
}

/** How long a page is to take, in milliseconds: short enough for progress and for others, long enough to be worth its start. */
const pageMs = 250;
const firstPage = 64;
const largestPage = 20_000;
const bandSize = 50_000;
const firstBand = 2_000;

type Side = "gained" | "lost";

/** One question of a simulation, examined page by page. */
export class QuestionRun {
  readonly #question: AffectedQuestion;
  readonly #parts: RunParts;
  readonly #state: QuestionState;
  readonly #order: ReturnType<typeof randomOrder>;
  readonly #scans: Readonly<Record<Side, PreparedScan>> | undefined;
  readonly #grants: Readonly<Record<"before" | "after", PreparedScan>> | undefined;
  readonly #examples: Record<Side, SimulationExample[]> = { gained: [], lost: [] };
  #band: readonly Placed[] = [];
  #bandEnd: number;
  #total: number | undefined;
  #pageSize = firstPage;
  #isSkipped = false;

  constructor(question: AffectedQuestion, parts: RunParts, state: QuestionState) {
    const { views, database, changed, switches, inputs, seed } = parts;
    const { pk } = views.before.project;
    this.#question = question;
    this.#parts = parts;
    this.#state = state;
    this.#bandEnd = state.position;
    this.#order = randomOrder(database, { pk, type: question.subjectType, seed }, parts.options());
    const everyone = canBeRefused(question, inputs);
    const found = (list: readonly StoredKbacPolicy[]) => list.filter((each) => everyone || changed.has(each));
    const gained = { side: "after", found: found(question.after), except: question.before } as const;
    const lost = { side: "before", found: found(question.before), except: question.after } as const;
    const scan = { project: views.before.project, database, switches, question, inputs };
    const all = {
      before: { side: "before", found: question.before, except: [] },
      after: { side: "after", found: question.after, except: [] },
    } as const;
    this.#scans =
      canScan(gained) && canScan(lost)
        ? { gained: prepareScan(scan, gained), lost: prepareScan(scan, lost) }
        : undefined;
    this.#grants =
      this.#scans && canScan(all.before) && canScan(all.after)
        ? { before: prepareScan(scan, all.before), after: prepareScan(scan, all.after) }
        : undefined;
  }

  get state(): QuestionState {
    return this.#state;
  }

  /** Every pair that differs is known. */
  get isComplete(): boolean {
    return this.#state.position >= orderEnd && !this.#isSkipped;
  }

  /** Nothing more can be found out. */
  get isFinished(): boolean {
    const { position, grantedPosition } = this.#state;
    // Trying pairs counts those that are granted, too.
    return position >= orderEnd && (this.#scans === undefined || grantedPosition >= orderEnd);
  }

  /** Examines one page of subjects. */
  async step(): Promise<void> {
    this.#total ??= await this.#order.count();
    const isCounting = this.#state.position >= orderEnd;
    const position = isCounting ? this.#state.grantedPosition : this.#state.position;
    const page = await this.#pageAfter(position);
    const since = performance.now();
    await (isCounting ? this.#countGranted(page.ids) : this.#examine(page.ids));
    if (isCounting) this.#state.grantedPosition = page.until;
    else this.#state.position = page.until;
    this.#adapt(performance.now() - since, page.ids.length);
  }

  #adapt(ms: number, subjects: number): void {
    if (subjects < this.#pageSize && ms < pageMs) return;
    const factor = Math.min(4, Math.max(0.25, pageMs / Math.max(1, ms)));
    this.#pageSize = Math.min(largestPage, Math.max(1, Math.round(this.#pageSize * factor)));
  }

  /** The next subjects behind a place of the order, and the place up to which nobody is left out. */
  async #pageAfter(position: number): Promise<{ readonly ids: readonly string[]; readonly until: number }> {
    if (
      this.#band.length === 0 ||
      this.#bandEnd <= position ||
      (this.#band[0]?.position ?? 0) > position + 1
    ) {
      const size = position === orderStart ? firstBand : bandSize;
      const { placed, until } = await this.#order.band(position, size, this.#total ?? 0);
      this.#band = placed;
      this.#bandEnd = until;
    }
    const rest = this.#band.filter((each) => each.position > position);
    // Nodes of one position, which ids beyond the prime share, stay together.
    const last = rest[this.#pageSize - 1]?.position;
    const page = last === undefined ? rest : rest.filter((each) => each.position <= last);
    const isLast = page.length === rest.length;
    return { ids: page.map(({ id }) => id), until: isLast ? this.#bandEnd : (last ?? this.#bandEnd) };
  }

  async #examine(subjects: readonly string[]): Promise<void> {
    if (this.#scans === undefined) return this.#tryPairs(subjects);
    try {
      const options = this.#parts.options();
      const [gained, lost] = [
        await this.#scans.gained.count(subjects, options),
        await this.#scans.lost.count(subjects, options),
      ];
      for (const subject of subjects) {
        addTo(this.#state.gained, gained.get(subject) ?? 0);
        addTo(this.#state.lost, lost.get(subject) ?? 0);
      }
      await this.#findExamples("gained", this.#scans.gained, gained);
      await this.#findExamples("lost", this.#scans.lost, lost);
    } catch (error) {
      if (error instanceof StatementTimeout && subjects.length > 1) return this.#halve(subjects);
      // A value that the statement cannot be evaluated with concerns some pairs alone.
      if (error instanceof DataFault) return this.#tryPairs(subjects);
      if (!(error instanceof StatementTimeout)) throw error;
      // Nothing is known of a subject for whom the time of a statement is not enough.
      this.#isSkipped = true;
    }
    return undefined;
  }

  async #halve(subjects: readonly string[]): Promise<void> {
    this.#pageSize = Math.max(1, Math.floor(this.#pageSize / 4));
    const middle = Math.ceil(subjects.length / 2);
    await this.#examine(subjects.slice(0, middle));
    await this.#examine(subjects.slice(middle));
  }

  async #findExamples(side: Side, scan: PreparedScan, counts: ReadonlyMap<string, number>): Promise<void> {
    const wanted = this.#parts.examples - this.#examples[side].length;
    if (wanted <= 0 || counts.size === 0) return;
    // As many subjects as there are examples: each of them has a pair.
    const subjects = [...counts.keys()].slice(0, wanted);
    this.#examples[side].push(...(await scan.examples(subjects, wanted, this.#parts.options())));
  }

  async #tryPairs(subjects: readonly string[]): Promise<void> {
    for (const subject of subjects) {
      const { gained, lost, granted } = await trySubject(this.#trial(), subject);
      addTo(this.#state.gained, gained.length);
      addTo(this.#state.lost, lost.length);
      this.#addExamples("gained", subject, gained);
      this.#addExamples("lost", subject, lost);
      // Otherwise pages of their own count what is granted.
      if (this.#scans !== undefined) continue;
      addTo(this.#state.granted.before, granted.before);
      addTo(this.#state.granted.after, granted.after);
    }
  }

  #addExamples(side: Side, subject: string, pairs: readonly DifferingPair[]): void {
    const wanted = this.#parts.examples - this.#examples[side].length;
    for (const { resource, by } of pairs.slice(0, Math.max(0, wanted)))
      this.#examples[side].push({ subject, resource, policies: [by] });
  }

  async #countGranted(subjects: readonly string[]): Promise<void> {
    if (this.#grants === undefined) return this.#tryGranted(subjects);
    try {
      const options = this.#parts.options();
      const [before, after] = [
        await this.#grants.before.count(subjects, options),
        await this.#grants.after.count(subjects, options),
      ];
      for (const subject of subjects) {
        addTo(this.#state.granted.before, before.get(subject) ?? 0);
        addTo(this.#state.granted.after, after.get(subject) ?? 0);
      }
      return undefined;
    } catch (error) {
      if (error instanceof DataFault) return this.#tryGranted(subjects);
      throw error;
    }
  }

  async #tryGranted(subjects: readonly string[]): Promise<void> {
    for (const subject of subjects) {
      const { granted } = await trySubject(this.#trial(), subject);
      addTo(this.#state.granted.before, granted.before);
      addTo(this.#state.granted.after, granted.after);
    }
  }

  #trial(): PairTrial {
    const { inputs, views, database, decide, options } = this.#parts;
    return { question: this.#question, inputs, views, database, decide, options: options() };
  }

  /** What is known so far. */
  report(): SimulatedQuestion {
    const { gained, lost, granted } = this.#state;
    const { subjectType, action, resourceType } = this.#question;
    const total = this.#total ?? 0;
    // Nodes with the label of the type may be of another one: when all are examined, that is how many there are.
    const of = this.isComplete ? gained.examined : Math.max(total, gained.examined + 1);
    const grantedOf = (tally: Tally) => {
      if (tally.examined === 0 && of > 0) return undefined;
      const { count, ...rest } = estimate(tally, of);
      return { granted: count, ...rest };
    };
    const [before, after] = [grantedOf(granted.before), grantedOf(granted.after)];
    return {
      subject_type: subjectType,
      action,
      resource_type: resourceType,
      ...(before && after ? { before, after } : {}),
      gained: { ...estimate(gained, of), examples: this.#examples.gained },
      lost: { ...estimate(lost, of), examples: this.#examples.lost },
      subjects: { examined: gained.examined, of },
      method: this.#scans === undefined ? "pairs" : "scan",
    };
  }
}
