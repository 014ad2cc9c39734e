import type { Line } from "../question/decision-line.ts";
import type { Draft } from "../question/playground-search.ts";
import { ActionsAnswer } from "./actions-answer.tsx";
import type { Answer } from "./ask.ts";
import { BatchAnswer } from "./batch-answer.tsx";
import { DecisionAnswer } from "./decision-answer.tsx";
import { FoundAnswer } from "./found-answer.tsx";

interface AnswerViewProps {
  readonly projectId: string;
  readonly answer: Answer;
  /** Asks for a decision with an explanation; other members of the draft stay. */
  readonly onExplain: (changes: Partial<Draft>) => void;
}

/** @param common parameters of the whole batch, which a line may replace. */
const draftOfLine = (
  { subject, action, resource, params }: Line,
  common: Line["params"],
): Partial<Draft> => ({
  subject_type: subject.type,
  subject: subject.id,
  action,
  resource_type: resource.type,
  resource: resource.id,
  ...(params !== undefined && { params: JSON.stringify({ ...common, ...params }) }),
});

/** The answer to a question of any kind. */
export const AnswerView = ({ projectId, answer, onExplain }: AnswerViewProps) => {
  switch (answer.kind) {
    case "decision":
      return <DecisionAnswer projectId={projectId} {...answer} />;
    case "batch":
      return (
        <BatchAnswer
          rows={answer.rows}
          onExplain={(line) => onExplain(draftOfLine(line, answer.question.params))}
        />
      );
    case "found":
      return (
        <FoundAnswer
          question={answer.question}
          found={answer.found}
          onExplain={({ id }) =>
            onExplain(answer.question.mode === "resources" ? { resource: id } : { subject: id })
          }
        />
      );
    case "actions":
      return <ActionsAnswer pages={answer.pages} onExplain={(action) => onExplain({ action })} />;
  }
};
