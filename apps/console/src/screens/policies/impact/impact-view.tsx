import type { SimulatedQuestion, Simulation } from "@ikg/client";
import { Link } from "@tanstack/react-router";
import { countText } from "../../../text/count-text.ts";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { estimateText, questionOf, totalsOf } from "./impact-of.ts";
import type { ImpactQuery } from "./use-impact.ts";

interface ImpactViewProps {
  readonly query: ImpactQuery;
  /** JSON of the parameters, for links to the playground. */
  readonly params: string;
}

/** Who gains and who loses access. */
export const ImpactView = ({ query, params }: ImpactViewProps) => {
  const { data, error, isFetching, refetch, fetchNextPage, hasNextPage } = query;
  if (error !== null)
    return <ErrorNote error={error} title="The impact could not be calculated" onRetry={() => refetch()} />;
  if (data === undefined) return isFetching ? <Loading what="the impact" /> : null;
  return (
    <div className="stack">
      <Totals simulation={data} />
      {data.undetermined.map(({ name, parameters }) => (
        <Note tone="warn" key={name}>
          <p>
            <PlainText text={name} /> grants nothing in this simulation: it needs the parameters{" "}
            <code>
              <PlainText text={parameters.join(", ")} limit={200} />
            </code>
            . Enter them on the Impact tab, under “Request inputs”.
          </p>
        </Note>
      ))}
      {data.questions.map((question) => (
        <QuestionCard
          key={`${question.subject_type} ${question.action} ${question.resource_type}`}
          question={question}
          params={params}
        />
      ))}
      {!data.complete && (
        <Note tone="warn">
          <p>The time limit was reached before every subject was examined: the numbers are estimates.</p>
          {hasNextPage && (
            <button
              type="button"
              className="button small"
              disabled={isFetching}
              onClick={() => void fetchNextPage()}
            >
              {isFetching ? "Examining…" : "Examine more"}
            </button>
          )}
        </Note>
      )}
    </div>
  );
};

const Totals = ({ simulation }: { readonly simulation: Simulation }) => {
  const { gained, lost, isExact } = totalsOf(simulation);
  const about = isExact ? "" : "about ";
  if (simulation.questions.length === 0)
    return (
      <Note tone="info">
        <p>No decision changes: policies for queries, and policies that are not active, decide nothing.</p>
      </Note>
    );
  if (gained === 0 && lost === 0 && isExact)
    return (
      <Note tone="good">
        <p>
          <strong>This change does not affect access.</strong>
        </p>
      </Note>
    );
  return (
    <div className="totals" role="status">
      <p className={gained > 0 ? "total good" : "total"}>
        <strong>
          {about}
          {gained.toLocaleString()}
        </strong>{" "}
        gained
      </p>
      <p className={lost > 0 ? "total bad" : "total"}>
        <strong>
          {about}
          {lost.toLocaleString()}
        </strong>{" "}
        lost
      </p>
    </div>
  );
};

interface QuestionProps {
  readonly question: SimulatedQuestion;
  readonly params: string;
}

const QuestionCard = ({ question, params }: QuestionProps) => {
  const { subject_type: subject, action, resource_type: resource, before, after, subjects } = question;
  const { unexamined } = subjects;
  return (
    <section className="card stack tight" aria-label={`${subject} ${action} ${resource}`}>
      <header className="row spread">
        <h3>
          <PlainText text={subject} limit={60} /> <PlainText text={action} limit={60} />{" "}
          <PlainText text={resource} limit={60} />
        </h3>
        {before !== undefined && after !== undefined && (
          <span className="hint">
            pairs: {estimateText({ ...before, count: before.granted })} today,{" "}
            {estimateText({ ...after, count: after.granted })} after the change
          </span>
        )}
      </header>
      {unexamined !== undefined && (
        <Note tone="warn">
          <p>
            {countText(unexamined.count, "subject")} could not be examined because their statements took too
            long: <PlainText text={unexamined.examples.join(", ")} />
          </p>
        </Note>
      )}
      <Examples which="gained" question={question} params={params} />
      <Examples which="lost" question={question} params={params} />
    </section>
  );
};

const Examples = ({ which, question, params }: QuestionProps & { readonly which: "gained" | "lost" }) => {
  const { examples, ...count } = question[which];
  if (count.count === 0) return <p className="hint">None {which}.</p>;
  return (
    <div className="stack tight">
      <p className={which === "gained" ? "good-text" : "bad-text"}>
        <strong>{estimateText(count)}</strong> {which}
        {examples.length > 0 && examples.length < count.count && ", for example"}
      </p>
      <ul className="examples">
        {examples.map((example) => (
          <li key={`${example.subject} ${example.resource}`}>
            <span>
              <PlainText text={example.subject} limit={80} /> <span className="soft">→</span>{" "}
              <PlainText text={example.resource} limit={80} />
            </span>
            <Link
              to="/playground"
              search={(search) => ({
                ...(search.project !== undefined && { project: search.project }),
                ...questionOf(question, example, params),
              })}
              className="button quiet small"
              title="Opens the playground, which evaluates today's policies"
            >
              <Icon name="play" />
              Explain today's decision
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
};
