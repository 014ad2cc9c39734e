import type { CandidateExplanation, Explanation } from "@ikg/client";
import { useState } from "react";
import { Empty } from "../../../components/empty.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import type { QuestionOf } from "../question/question.ts";
import { CandidatePolicy } from "./candidate-policy.tsx";
import { Reason } from "./reason.tsx";

interface CandidatesProps {
  readonly projectId: string;
  readonly question: QuestionOf<"decision">;
  readonly explanation: Explanation;
}

const outcomes: Readonly<Record<CandidateExplanation["outcome"], readonly [text: string, tone: string]>> = {
  granted: ["grants", "good"],
  filter_not_satisfied: ["filter not satisfied", "bad"],
  pattern_not_matched: ["pattern not matched", "bad"],
  parameter_missing: ["parameter missing", "warn"],
  wrong_location: ["location not resolved", "warn"],
  unknown: ["not explained", "warn"],
};

/** The one that decided, then those that would have granted as well, then the others, each oldest first. */
const inOrder = ({ candidates, granted_by: grantedBy }: Explanation): readonly CandidateExplanation[] => {
  const rank = ({ policy, outcome }: CandidateExplanation): number =>
    policy.id === grantedBy?.id ? 0 : outcome === "granted" ? 1 : 2;
  return candidates.toSorted((one, other) => rank(one) - rank(other));
};

/** What each policy says of the question, the one that decided first in sight. */
export const Candidates = ({ projectId, question, explanation }: CandidatesProps) => {
  const { granted_by: grantedBy, omitted } = explanation;
  const candidates = inOrder(explanation);
  if (candidates.length === 0) return <NoCandidate question={question} />;
  const opened = grantedBy?.id ?? candidates[0]?.policy.id;
  const isPartial = (omitted ?? 0) > 0 || candidates.some(({ outcome }) => outcome === "unknown");
  return (
    <section className="stack" aria-label="Policies">
      <h2>
        {candidates.length === 1 ? "One policy covers this" : `${candidates.length} policies cover this`}
      </h2>
      {isPartial && (
        <Note tone="warn">
          <p>
            The explanation is not complete
            {(omitted ?? 0) > 0 && `: ${omitted} more policies were not examined`}. The decision is.
          </p>
        </Note>
      )}
      <ul className="candidates">
        {candidates.map((candidate) => (
          <Candidate
            key={candidate.policy.id}
            projectId={projectId}
            candidate={candidate}
            question={question}
            isDeciding={candidate.policy.id === grantedBy?.id}
            isOpenAtFirst={candidate.policy.id === opened}
          />
        ))}
      </ul>
    </section>
  );
};

interface CandidateProps {
  readonly projectId: string;
  readonly candidate: CandidateExplanation;
  readonly question: QuestionOf<"decision">;
  readonly isDeciding: boolean;
  readonly isOpenAtFirst: boolean;
}

const Candidate = ({ projectId, candidate, question, isDeciding, isOpenAtFirst }: CandidateProps) => {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const [text, tone] = outcomes[candidate.outcome];
  const { name, version } = candidate.policy;
  return (
    <li className="candidate card">
      <div className="candidate-head">
        <h3>
          <PlainText text={name} limit={100} /> <small>version {version}</small>
        </h3>
        <span className={`tag ${tone}`}>{text}</span>
        {isDeciding && <span className="tag good">decided</span>}
      </div>
      <p>
        <Reason candidate={candidate} question={question} />
      </p>
      <button
        type="button"
        className="button quiet small disclose"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="chevron" />
        Text of the policy
      </button>
      {isOpen && <CandidatePolicy projectId={projectId} candidate={candidate} />}
    </li>
  );
};

const NoCandidate = ({
  question: { subject, action, resource },
}: {
  readonly question: QuestionOf<"decision">;
}) => (
  <Empty title="No policy covers this">
    <p>
      No active policy covers <PlainText text={subject.type} /> <PlainText text={action} />{" "}
      <PlainText text={resource.type} />, and access is denied by default. Check that the types and the action
      are spelled as in your policies.
    </p>
  </Empty>
);
