import type { CandidateExplanation } from "@ikg/client";
import { comparisonText } from "../../../text/comparison-text.ts";
import { PlainText } from "../../../components/plain-text.tsx";
import type { QuestionOf } from "../question/question.ts";

interface ReasonProps {
  readonly candidate: CandidateExplanation;
  readonly question: QuestionOf<"decision">;
}

const List = ({ texts }: { readonly texts: readonly string[] }) =>
  texts.map((text, index) => (
    <span key={text}>
      {index > 0 && ", "}
      <PlainText text={text} mono />
    </span>
  ));

const NotMatched = ({ candidate, question }: ReasonProps) => {
  const { missing = [], part, identity_required: isIdentityRequired } = candidate;
  if (missing.length > 0)
    return (
      <>
        The graph does not hold the{" "}
        {missing.map((end, index) => (
          <span key={end}>
            {index > 0 && " and the "}
            {end} <PlainText text={question[end].type} /> <PlainText text={question[end].id} mono />
          </span>
        ))}
        .
      </>
    );
  if (isIdentityRequired === true) return <>The subject must be an identity node, but it is not.</>;
  if (part === undefined) return <>Nothing in the graph matches its pattern.</>;
  return (
    <>
      The graph stops matching its pattern at <PlainText text={part.text} mono />.
      {!part.certain && " The database did not finish in time: an earlier part may be the reason."}
    </>
  );
};

/** Why a policy grants access or does not, in one sentence. */
export const Reason = ({ candidate, question }: ReasonProps) => {
  switch (candidate.outcome) {
    case "granted":
      return <>A path in the graph matches its pattern.</>;
    case "filter_not_satisfied": {
      const { filter } = candidate;
      if (filter === undefined) return <>Its filter is not satisfied.</>;
      return (
        <>
          Its filter is not satisfied: <PlainText text={comparisonText(filter)} mono /> is not true.
          {filter.token_missing &&
            " It reads a token, and none was sent: enter one under “Token, parameters and tags”."}
        </>
      );
    }
    case "pattern_not_matched":
      return <NotMatched candidate={candidate} question={question} />;
    case "parameter_missing":
      return (
        <>
          It needs the parameters <List texts={candidate.parameters ?? []} />: enter them under “Token,
          parameters and tags”.
        </>
      );
    case "wrong_location":
      return (
        <>
          Its location cannot be resolved: <List texts={candidate.location ?? []} />
        </>
      );
    case "unknown":
      return <>It cannot be explained; the decision is not affected.</>;
  }
};
