import type { PolicyVersion } from "@ikg/catalog";
import type { AuthorizationRecord, RecordedQuestion, Unknown } from "@ikg/contracts";
import { type RecordedInputs, recordedInputs } from "./recorded-inputs.ts";

/** Where a decision stands: in a record, or in an entry of one. */
export interface RecordedPosition {
  readonly record: string;
  readonly entry: number | undefined;
}

/** A decision that was recorded whole, as far as the question and the answer go. */
export interface RecordedDecision extends RecordedPosition {
  readonly decision: boolean;
  readonly subject: { readonly type: string; readonly id: string };
  readonly resource: { readonly type: string; readonly id: string };
  readonly action: string;
  readonly inputs: RecordedInputs;
  /** Versions of the policies that were tried; undefined when the record does not name all of them. */
  readonly policyVersions: readonly PolicyVersion[] | undefined;
}

export interface UnreadableDecision extends RecordedPosition {
  readonly decision: boolean | undefined;
  readonly because: Unknown;
}

type Read = RecordedDecision | UnreadableDecision;

const because = (reason: Unknown["reason"]): Unknown => ({ reason });

const isComplete = (
  entity: RecordedQuestion["subject"],
): entity is { readonly type: string; readonly id: string } => entity?.id !== undefined;

const readQuestion = (
  position: RecordedPosition,
  question: RecordedQuestion,
  user: AuthorizationRecord["on_behalf_of"],
  cut: ReadonlySet<string>,
): Read => {
  const { subject, resource, action, decision, tried } = question;
  if (decision === undefined) return { ...position, decision, because: because("no_decision") };
  if (["subject", "resource", "action"].some((name) => cut.has(`/data/${name}`)))
    return { ...position, decision, because: because("record_cut") };
  if (!isComplete(subject) || !isComplete(resource) || action === undefined)
    return { ...position, decision, because: because("incomplete_question") };
  const inputs = recordedInputs(question, user, cut);
  return {
    ...position,
    decision,
    subject,
    resource,
    action,
    inputs,
    policyVersions: cut.has("/data/tried") ? undefined : tried,
  };
};

/** Reads the decisions of one record back, those that cannot be replayed with the reason. */
export const readRecord = (record: AuthorizationRecord, projectId: string): readonly Read[] => {
  const position = { record: record.id, entry: undefined };
  const cannot = (reason: Unknown["reason"]): readonly Read[] => [
    { ...position, decision: undefined, because: because(reason) },
  ];
  if (record.project_id !== projectId) return cannot("other_project");
  const { on_behalf_of: user } = record;
  const cut = new Set(record.cut?.map(({ field }) => field));
  switch (record.type) {
    case "audit.authorization.simulation":
    case "audit.authorization.replay":
      return cannot("not_a_decision");
    case "audit.authorization.searchsubject":
    case "audit.authorization.searchresource":
    case "audit.authorization.searchaction":
      return cannot("search");
    case "audit.authorization.evaluation":
      return [readQuestion(position, record.data, user, cut)];
    case "audit.authorization.evaluations": {
      const { evaluations = [] } = record.data;
      if (evaluations.length === 0) return cannot("no_decision");
      // Fields of entries that were cut are not named.
      const isCut = [...cut].some((field) => field.startsWith("/data/"));
      return evaluations.map((each, entry) =>
        isCut
          ? { record: record.id, entry, decision: each.decision, because: because("record_cut") }
          : readQuestion({ record: record.id, entry }, each, user, cut),
      );
    }
  }
};
