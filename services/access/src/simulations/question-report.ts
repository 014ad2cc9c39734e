import type { SimulatedQuestion, SimulationExample } from "@ikg/contracts";
import { estimate, type Tally } from "./estimate.ts";
import type { QuestionState } from "./question-state.ts";
import type { AffectedQuestion } from "./questions.ts";

/** What a run knows of its question. */
export interface QuestionFindings {
  readonly question: AffectedQuestion;
  readonly state: QuestionState;
  /** Every pair that differs is known. */
  readonly isComplete: boolean;
  /** Subjects, as far as they have been counted. */
  readonly total: number;
  readonly examples: Readonly<Record<"gained" | "lost", readonly SimulationExample[]>>;
  /** Some of the subjects of whom nothing is known. */
  readonly skipped: readonly string[];
  readonly method: SimulatedQuestion["method"];
}

/** The answer to a question, as far as it is known. */
export const questionReport = (findings: QuestionFindings): SimulatedQuestion => {
  const { question, state, isComplete, total, examples, skipped, method } = findings;
  const { gained, lost, granted } = state;
  // Nodes with the label of the type may be of another one: when all are examined, that is how many there are.
  const of = isComplete ? gained.examined : Math.max(total, gained.examined + 1);
  const grantedOf = (tally: Tally) => {
    if (tally.examined === 0 && of > 0) return undefined;
    const { count, ...rest } = estimate(tally, of);
    return { granted: count, ...rest };
  };
  const [before, after] = [grantedOf(granted.before), grantedOf(granted.after)];
  return {
    subject_type: question.subjectType,
    action: question.action,
    resource_type: question.resourceType,
    ...(before && after ? { before, after } : {}),
    gained: { ...estimate(gained, of), examples: [...examples.gained] },
    lost: { ...estimate(lost, of), examples: [...examples.lost] },
    subjects: {
      examined: gained.examined,
      of,
      ...(state.skipped > 0 && { unexamined: { count: state.skipped, examples: [...skipped] } }),
    },
    method,
  };
};
