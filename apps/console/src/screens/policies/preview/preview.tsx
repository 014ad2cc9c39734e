import type { PreviewOptions } from "@ikg/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { CopyButton } from "../../../parts/copy-button.tsx";
import { Empty } from "../../../parts/empty.tsx";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { JsonField } from "../../../parts/json-field.tsx";
import { Loading } from "../../../parts/loading.tsx";
import { Note } from "../../../parts/note.tsx";
import { PlainText } from "../../../parts/plain-text.tsx";
import { TextField } from "../../../parts/text-field.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import type { PolicyDraft } from "../draft/draft.ts";
import { wrongJson } from "../draft/policy-form.ts";
import { validatedFields } from "../draft/use-validation.ts";
import { MarkedText } from "../../playground/answer/marked-text.tsx";
import { costOf, indexesOf, type Operator, type Statement } from "./plan.ts";

interface PreviewProps {
  readonly projectId: string;
  readonly draft: PolicyDraft;
}

type Sample = NonNullable<PreviewOptions["sample"]>;

const usePreview = (projectId: string, draft: PolicyDraft, sample: Sample | undefined) => {
  const admin = useAdmin(projectId);
  const fields = validatedFields(draft);
  return useQuery({
    queryKey: ["preview", projectId, JSON.stringify(fields), JSON.stringify(sample)],
    enabled: fields !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      if (fields === undefined) throw new Error("the policy has a field that is no JSON");
      const options = { preview: true, ...(sample !== undefined && { sample }) };
      return (await admin.policies.validate(fields, options, { signal })).statements ?? [];
    },
  });
};

/** What the suite runs for the policy, and what it costs. */
export const Preview = ({ projectId, draft }: PreviewProps) => {
  const [sample, setSample] = useState<Sample>();
  const query = usePreview(projectId, draft, sample);
  const { data, error, refetch, isFetching } = query;
  return (
    <div className="stack">
      <p className="lead">
        The Cypher that runs for this policy, as it is typed, and the plan of the database for it.
      </p>
      <SampleForm onApply={setSample} isBusy={isFetching} />
      {error !== null ? (
        <ErrorNote error={error} title="There is no preview of this policy" onRetry={refetch} />
      ) : data === undefined ? (
        <Loading what="the preview" />
      ) : data.length === 0 ? (
        <Empty title="Nothing runs">
          <p>The suite sends no statement for this policy.</p>
        </Empty>
      ) : (
        data.map((statement, index) => (
          <StatementCard key={`${index} ${statement.purpose}`} statement={statement} />
        ))
      )}
    </div>
  );
};

const sampleOf = (subject: string, resource: string, params: string): Sample | undefined => {
  const sample: Sample = {
    ...(subject !== "" && { subject: { id: subject } }),
    ...(resource !== "" && { resource: { id: resource } }),
    ...(params.trim() !== "" && { input_params: JSON.parse(params) as Record<string, unknown> }),
  };
  return Object.keys(sample).length === 0 ? undefined : sample;
};

const SampleForm = ({
  onApply,
  isBusy,
}: {
  readonly onApply: (sample: Sample | undefined) => void;
  readonly isBusy: boolean;
}) => {
  const [subject, setSubject] = useState("");
  const [resource, setResource] = useState("");
  const [params, setParams] = useState("");
  const wrong = wrongJson(params);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (wrong === undefined) onApply(sampleOf(subject, resource, params));
  };
  return (
    <details className="card options">
      <summary>Measure it for a sample</summary>
      <form className="stack" onSubmit={submit}>
        <div className="columns">
          <TextField label="Subject id" value={subject} wrong={undefined} onChange={setSubject} />
          <TextField label="Resource id" value={resource} wrong={undefined} onChange={setResource} />
          <JsonField
            label="Parameters"
            value={params}
            wrong={wrong}
            rows={1}
            placeholder='{"min_hours": 100}'
            onChange={setParams}
          />
        </div>
        <button type="submit" className="button start" disabled={isBusy || wrong !== undefined}>
          Measure
        </button>
      </form>
    </details>
  );
};

const StatementCard = ({ statement }: { readonly statement: Statement }) => {
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
      {findings.map(({ code, text, operator }, index) => (
        <Note tone="warn" key={`${index} ${code}`}>
          <p>
            <PlainText text={text} limit={300} />{" "}
            <small>
              <PlainText text={`${operator} (${code})`} limit={200} />
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
