import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { displayText } from "../../../text/display-text.ts";
import { MarkedText } from "../../../components/marked-text/marked-text.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { errorAt, type RecordDiagnostic } from "../../../editors/record-editor/diagnostics.ts";
import type { QueryPolicies, QueryPolicy } from "../use-query-policies.ts";

interface PolicyFieldProps {
  readonly policies: QueryPolicies;
  /** Empty while none is chosen. */
  readonly policyId: string;
  readonly diagnostics: readonly RecordDiagnostic[];
  readonly isReadOnly: boolean;
  readonly onChange: (policyId: string) => void;
}

/** The policy that a query runs under, with its pattern: what the paths of the query are about. */
export const PolicyField = ({ policies, policyId, diagnostics, isReadOnly, onChange }: PolicyFieldProps) => {
  const id = useId();
  const { policies: known } = policies;
  const chosen = known?.get(policyId);
  const error = errorAt(diagnostics, "policy_id");
  return (
    <div className="stack tight">
      <div className="field">
        <label htmlFor={id}>Runs under the policy</label>
        <select
          id={id}
          value={policyId}
          disabled={isReadOnly}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-wrong`}
          onChange={(event) => onChange(event.target.value)}
        >
          {chosen === undefined && (
            <option value={policyId}>
              {policyId === "" ? "Choose one" : displayText(policies.names.get(policyId) ?? policyId, 80)}
            </option>
          )}
          {[...(known?.values() ?? [])].map(({ record }) => (
            <option key={record.id} value={record.id}>
              {displayText(record.name, 80)}
              {record.status === "ACTIVE" ? "" : ` (${record.status.toLowerCase()})`}
            </option>
          ))}
        </select>
        {error !== undefined && (
          <p className="wrong" id={`${id}-wrong`}>
            <PlainText text={error} limit={300} />
          </p>
        )}
      </div>
      {known?.size === 0 && (
        <p className="hint">
          There is no policy for queries yet. <Link to="/policies/-/new">Write one</Link>, for “Queries: what
          may be read and written”.
        </p>
      )}
      {chosen !== undefined && <PolicyPattern policy={chosen} />}
    </div>
  );
};

const PolicyPattern = ({ policy: { record, allowed } }: { readonly policy: QueryPolicy }) => (
  <details className="options">
    <summary>
      The pattern of the policy, for{" "}
      {allowed.subjectType === "_Application" ? (
        "the application itself"
      ) : (
        <PlainText text={allowed.subjectType} limit={60} />
      )}
    </summary>
    <div className="stack tight">
      <MarkedText label="Pattern of the policy" segments={[{ text: allowed.cypher, isMarked: false }]} />
      <Link to="/policies/$policy" params={{ policy: record.name }}>
        Open the policy
      </Link>
    </div>
  </details>
);
