import type { CatalogProject, StoredKbacPolicy } from "@ikg/catalog";
import type { SimulationExample, SimulationInputs } from "@ikg/contracts";
import type { Database, StatementOptions } from "@ikg/graph";
import { nodeKey } from "@ikg/physical";
import { bindRow, needsOf, type RequiredInputs } from "@ikg/policy-core";
import {
  candidateKey,
  type DecisionSwitches,
  differenceStatement,
  finderKey,
  isScannable,
  isTestable,
  requestKeys,
  scanStatement,
} from "@ikg/policy-core/statements";
import { inputsOf } from "../decisions/candidates.ts";
import { questionOf } from "./inputs.ts";
import { participantsOf } from "./participants.ts";
import type { AffectedQuestion } from "./questions.ts";
import { type CountPairs, fasterCount } from "./faster-count.ts";

/** Pairs that one list of policies grants and another one does not. */
export interface Comparison {
  /** The state that `found` decides in; `except` decides in the other one, or is empty. */
  readonly state: "before" | "after";
  readonly found: readonly StoredKbacPolicy[];
  readonly except: readonly StoredKbacPolicy[];
}

const needsOfCondition = ({ policy }: StoredKbacPolicy): RequiredInputs =>
  policy.condition.analysis.report.needs;

/** A row has the same values for all its policies: what is too large for one of them may be read by another. */
const haveSameSizes = (policies: readonly StoredKbacPolicy[]): boolean =>
  new Set(policies.map((policy) => needsOfCondition(policy).sizes)).size <= 1;

/** True when the comparison can be made in pages of subjects. */
export const canScan = ({ found, except }: Comparison): boolean =>
  found.every(({ policy }) => isScannable(policy)) &&
  except.every(({ policy }) => isTestable(policy)) &&
  haveSameSizes([...found, ...except]);

/** What scans of one question have in common. */
export interface Scan {
  readonly project: CatalogProject;
  readonly database: Database;
  readonly switches: DecisionSwitches;
  readonly question: AffectedQuestion;
  readonly inputs: SimulationInputs;
}

export interface PreparedScan {
  readonly count: CountPairs;
  examples(
    subjects: readonly string[],
    limit: number,
    options: StatementOptions,
  ): Promise<readonly SimulationExample[]>;
}

type Row = Readonly<Record<string, unknown>>;

/** Rows of the subjects for whom one of `found` participates. */
const rowsOf = (
  { project, question, inputs }: Scan,
  { state, found, except }: Comparison,
  subjects: readonly string[],
): readonly Row[] => {
  const needs = needsOf(...[...found, ...except].map(needsOfCondition));
  return subjects.flatMap((subject, i) => {
    const ofSubject = questionOf(question, inputs, subject);
    const values = inputsOf(ofSubject);
    // A call is refused, or not, for all candidates of its state.
    const participantsIn = (each: Comparison["state"]) =>
      participantsOf(question[each], ofSubject, values, project.composite);
    const finders = participantsIn(state);
    const exceptions = participantsIn(state === "after" ? "before" : "after");
    if (!found.some((policy) => finders.has(policy))) return [];
    const row: Record<string, unknown> = {
      [requestKeys.index]: i,
      [requestKeys.subject]: nodeKey(project.pk, question.subjectType, subject),
      ...bindRow(needs, values),
    };
    found.forEach((policy, index) => (row[finderKey(index)] = finders.has(policy)));
    except.forEach((policy, index) => (row[candidateKey(index)] = exceptions.has(policy)));
    return [row];
  });
};

/** Prepares a comparison; nothing to find is nothing to ask. */
export const prepareScan = (scan: Scan, comparison: Comparison): PreparedScan => {
  const { found, except } = comparison;
  const { project, database, switches } = scan;
  const policies = (list: readonly StoredKbacPolicy[]) => list.map(({ policy }) => policy);
  const pairs = { found: policies(found), except: policies(except) };

  const countBy =
    (text: string): CountPairs =>
    async (subjects, options) => {
      const rows = rowsOf(scan, comparison, subjects);
      if (rows.length === 0) return new Map();
      const answers = await database.read(text, { rows }, options);
      return new Map(answers.map(({ i, pairs: count }) => [subjects[Number(i)] ?? "", Number(count)]));
    };

  const prepareCount = (): CountPairs => {
    if (found.length === 0) return async () => new Map();
    const tested = countBy(scanStatement(pairs, project.pk, "counts", switches));
    // Without anything to leave out both are one.
    return except.length > 0 && pairs.except.every(isScannable)
      ? fasterCount(tested, countBy(differenceStatement(pairs, project.pk, switches)))
      : tested;
  };

  return {
    count: prepareCount(),
    examples: async (subjects, limit, options) => {
      const rows = found.length === 0 ? [] : rowsOf(scan, comparison, subjects);
      if (rows.length === 0 || limit === 0) return [];
      const policiesText = scanStatement(pairs, project.pk, "policies", switches);
      const answers = await database.read(policiesText, { rows, limit }, options);
      return answers.map(({ i, resource, by }) => ({
        subject: subjects[Number(i)] ?? "",
        resource: String(resource),
        // The statement collects places in `found`.
        policies: (by as readonly number[]).map((place) => found[place]?.name ?? "").toSorted(),
      }));
    },
  };
};
