import type { QueryExplanation } from "@ikg/client";
import { useState } from "react";
import { comparisonText } from "../../../text/comparison-text.ts";
import { countText } from "../../../text/count-text.ts";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { type CountStep, countSteps, filterToOpen } from "./counts.ts";
import { ExplainedText } from "./explained-text.tsx";

interface CountsViewProps {
  readonly projectId: string;
  readonly explanation: QueryExplanation;
}

const Certainty = ({ isCertain }: { readonly isCertain: boolean }) =>
  isCertain ? null : <> The database did not finish in time: an earlier part may be the reason.</>;

/** What came of it, in a sentence. */
const Verdict = ({ explanation }: Pick<CountsViewProps, "explanation">) => {
  const { outcome, filter, part, missing } = explanation;
  if (outcome === "filter_not_satisfied" && filter !== undefined)
    return (
      <>
        No row is left after the filter <PlainText text={comparisonText(filter)} limit={200} mono />.
        <Certainty isCertain={filter.certain} />
      </>
    );
  if (outcome === "pattern_not_matched" && missing !== undefined)
    return <>The graph does not hold the subject: the node that the token or the parameters name.</>;
  if (outcome === "pattern_not_matched" && part !== undefined)
    return (
      <>
        The graph stops matching the pattern of the policy at <PlainText text={part.text} limit={200} mono />.
        <Certainty isCertain={part.certain} />
      </>
    );
  if (outcome === "rows")
    return <>What the pattern of the policy matches, and what each filter leaves of it:</>;
  return <>The explanation did not finish in time; the rows are not affected.</>;
};

/** How many rows there are, and which the policy and the query left out, and why. */
export const CountsView = ({ projectId, explanation }: CountsViewProps) => {
  const [chosen, setChosen] = useState<string>();
  const steps = countSteps(explanation);
  const path = chosen ?? filterToOpen(explanation);
  return (
    <section className="card stack" aria-label="Explanation of the counts">
      <div className="stack tight">
        <h2>Why these rows?</h2>
        <p>
          <Verdict explanation={explanation} />
        </p>
      </div>
      {steps !== undefined && (
        <ol className="count-steps">
          {steps.map((step, index) => (
            <Step
              key={step.filter?.path ?? index}
              step={step}
              most={steps[0]?.rows ?? 0}
              isChosen={step.filter !== undefined && step.filter.path === path}
              onChoose={() => setChosen(step.filter?.path)}
            />
          ))}
        </ol>
      )}
      <ExplainedText projectId={projectId} explanation={explanation} path={path} />
      <WriteCounts explanation={explanation} />
      <Cost explanation={explanation} />
    </section>
  );
};

interface StepProps {
  readonly step: CountStep;
  /** Rows of the pattern. */
  readonly most: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

const Step = ({ step: { filter, by, rows, removed, leaves }, most, isChosen, onChoose }: StepProps) => (
  <li>
    <div className="count-line">
      <span>
        {filter === undefined ? (
          "The pattern of the policy matches"
        ) : (
          <>
            Filter of the {by} <PlainText text={comparisonText(filter)} limit={160} mono />
          </>
        )}
      </span>
      <span className="row nowrap">
        {removed > 0 && <span className="tag warn">{removed.toLocaleString()} left out</span>}
        <strong>{countText(rows, "row")}</strong>
      </span>
    </div>
    <meter
      className="count-bar"
      min={0}
      max={Math.max(1, most)}
      value={rows}
      aria-label={countText(rows, "row")}
    />
    {leaves.length > 0 && (
      <ul className="leaves">
        {leaves.map((leaf) => (
          <li key={leaf.path}>
            <PlainText text={comparisonText(leaf)} limit={160} mono /> is true for{" "}
            {countText(leaf.rows, "row")}
          </li>
        ))}
      </ul>
    )}
    {filter !== undefined && !isChosen && (
      <button type="button" className="button quiet small" onClick={onChoose}>
        Show it in the text
      </button>
    )}
  </li>
);

const WriteCounts = ({ explanation: { written, resolvers } }: Pick<CountsViewProps, "explanation">) => (
  <>
    {written !== undefined && (
      <Note tone={written.some(({ elements }) => elements > 0) ? "good" : "info"}>
        <p>What it wrote:</p>
        <ul>
          {written.map(({ list, entry, elements }, index) => (
            <li key={`${index} ${list}`}>
              <PlainText text={entry} limit={80} mono />: {elements.toLocaleString()}{" "}
              {list.startsWith("delete_") ? "deleted" : "written"}
            </li>
          ))}
        </ul>
      </Note>
    )}
    {resolvers !== undefined && resolvers.length > 0 && (
      <div className="stack tight">
        <h3>Resolvers that were called</h3>
        <ul>
          {resolvers.map(({ resolver, outcome, milliseconds }, index) => (
            <li key={`${index} ${resolver}`}>
              <PlainText text={resolver} limit={80} />: {outcome.replaceAll("_", " ")}, {milliseconds} ms
            </li>
          ))}
        </ul>
      </div>
    )}
  </>
);

const Cost = ({ explanation }: Pick<CountsViewProps, "explanation">) => {
  const { statement, statements, milliseconds, database_hits: hits } = explanation;
  return (
    <p className="hint">
      {statement !== undefined &&
        `The rows took ${statement.milliseconds} ms and ${statement.database_hits.toLocaleString()} database hits. `}
      {`The explanation came on top: ${countText(statements, "statement")}, ${milliseconds} ms, ${hits.toLocaleString()} database hits.`}
    </p>
  );
};
