import { CopyButton } from "../../components/copy-button.tsx";
import { MarkedText } from "../../components/marked-text/marked-text.tsx";
import { Note } from "../../components/note.tsx";
import { PlainText } from "../../components/plain-text.tsx";
import { costOf, indexesOf, joinFindings, type Operator, type Statement } from "./plan.ts";

/** A statement of the suite with its plan and what is noteworthy about it. */
export const StatementCard = ({ statement }: { readonly statement: Statement }) => {
  const { purpose, cypher, parameters, plan, reason, findings, rows, hits } = statement;
  const indexes = indexesOf(plan);
  return (
    <section className="card stack statement" aria-label={`Statement: ${purpose}`}>
      <header className="row spread">
        <h2>
          <PlainText text={purpose} limit={120} />
        </h2>
        <span className="row">
          {rows !== undefined && <span className="hint">{costOf({ operator: "", rows, hits })}</span>}
          <CopyButton text={cypher} label="Cypher" />
        </span>
      </header>
      <MarkedText label={`Cypher: ${purpose}`} segments={[{ text: cypher, isMarked: false }]} />
      <dl className="facts">
        <div>
          <dt>Indexes</dt>
          <dd>{indexes.length === 0 ? "none is used" : <Names names={indexes} />}</dd>
        </div>
        <div>
          <dt>Parameters</dt>
          <dd>{parameters.length === 0 ? "none" : <Names names={parameters} />}</dd>
        </div>
      </dl>
      {joinFindings(findings).map(({ code, text, operators }) => (
        <Note tone="warn" key={code}>
          <p>
            <PlainText text={text} limit={300} />{" "}
            <small>
              <PlainText text={`${operators.join(", ")} (${code})`} limit={200} />
            </small>
          </p>
        </Note>
      ))}
      {plan === undefined ? (
        <p className="hint">
          No plan: <PlainText text={reason ?? "the database made none"} limit={300} />
        </p>
      ) : (
        <details className="options">
          <summary>Plan, from the result down</summary>
          <ul className="plan">
            <PlanOperator operator={plan} />
          </ul>
        </details>
      )}
    </section>
  );
};

const Names = ({ names }: { readonly names: readonly string[] }) => (
  <span className="row">
    {names.map((name) => (
      <code key={name}>
        <PlainText text={name} limit={120} />
      </code>
    ))}
  </span>
);

const PlanOperator = ({ operator: node }: { readonly operator: Operator }) => (
  <li>
    <strong>
      <PlainText text={node.operator} limit={80} />
    </strong>{" "}
    <span className="hint">{costOf(node)}</span>
    {node.index !== undefined && (
      <span className="tag good">
        index <PlainText text={node.index} limit={80} />
      </span>
    )}
    {node.details !== undefined && (
      <small className="mono">
        <PlainText text={node.details} limit={300} />
      </small>
    )}
    {node.children !== undefined && node.children.length > 0 && (
      <ul>
        {node.children.map((child, index) => (
          <PlanOperator key={`${index} ${child.operator}`} operator={child} />
        ))}
      </ul>
    )}
  </li>
);
