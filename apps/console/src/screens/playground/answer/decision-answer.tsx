import type { Decision } from "@ikg/client";
import { Icon } from "../../../components/icon.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import type { QuestionOf } from "../question/question.ts";
import { Candidates } from "./candidates.tsx";
import { GrantingPathView } from "./granting-path.tsx";

interface DecisionAnswerProps {
  readonly projectId: string;
  readonly question: QuestionOf<"decision">;
  readonly decision: Decision;
  readonly isUnexplained: boolean;
}

const Sentence = ({
  question,
  isAllowed,
}: {
  readonly question: QuestionOf<"decision">;
  readonly isAllowed: boolean;
}) => (
  <>
    <PlainText text={question.subject.type} limit={60} /> <PlainText text={question.subject.id} limit={80} />{" "}
    {isAllowed ? "may" : "may not"} <PlainText text={question.action} limit={60} />{" "}
    <PlainText text={question.resource.type} limit={60} />{" "}
    <PlainText text={question.resource.id} limit={80} />
  </>
);

const Advice = ({ advice }: { readonly advice: readonly Readonly<Record<string, string>>[] }) => (
  <Note tone="info">
    <p>How to get access, according to the policy:</p>
    <ul>
      {advice.map((each) => (
        <li key={JSON.stringify(each)}>
          <PlainText
            text={Object.entries(each)
              .map(([name, value]) => `${name}: ${value}`)
              .join(", ")}
            limit={500}
          />
        </li>
      ))}
    </ul>
  </Note>
);

/** Yes or no, and why. */
export const DecisionAnswer = ({ projectId, question, decision, isUnexplained }: DecisionAnswerProps) => {
  const { decision: isAllowed, context } = decision;
  const { explanation, advice, reason } = context ?? {};
  const path = explanation?.candidates.find(({ policy }) => policy.id === explanation.granted_by?.id)?.path;
  return (
    <div className="stack">
      <div className={`verdict ${isAllowed ? "good" : "bad"}`} role="status">
        <Icon name={isAllowed ? "check" : "cross"} />
        <div>
          <strong>{isAllowed ? "Allowed" : "Denied"}</strong>
          <p>
            <Sentence question={question} isAllowed={isAllowed} />
            {explanation?.granted_by !== undefined && (
              <>
                , by <PlainText text={explanation.granted_by.name} limit={80} />
              </>
            )}
            .
          </p>
          {reason !== undefined && (
            <p className="hint">
              <PlainText text={reason} limit={300} />
            </p>
          )}
        </div>
      </div>
      {advice !== undefined && advice.length > 0 && <Advice advice={advice} />}
      {isUnexplained && (
        <Note tone="warn">
          <p>
            Without an explanation: this key lacks the permission <code>ReadAuthZConfigs</code>.
          </p>
        </Note>
      )}
      {path !== undefined && (
        <GrantingPathView path={path} subject={question.subject} resource={question.resource} />
      )}
      {explanation !== undefined && (
        <Candidates projectId={projectId} question={question} explanation={explanation} />
      )}
    </div>
  );
};
