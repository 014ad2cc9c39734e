import { CopyButton } from "../../../parts/copy-button.tsx";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { PlainText } from "../../../parts/plain-text.tsx";
import type { TextPosition } from "../../../parts/text-position.ts";
import { cypherPath, type PolicyDiagnostic } from "../draft/diagnostics.ts";
import type { PolicyValidation } from "../draft/use-validation.ts";

interface ProblemsProps {
  readonly validation: PolicyValidation;
  readonly onGoTo: ((place: TextPosition) => void) | undefined;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

const summaryOf = ({ diagnostics, isChecking }: PolicyValidation): string => {
  if (diagnostics === undefined) return isChecking ? "Checking…" : "Not checked";
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  if (diagnostics.length === 0) return "No problem found";
  return [errors > 0 && counted(errors, "error"), warnings > 0 && counted(warnings, "warning")]
    .filter(Boolean)
    .join(", ");
};

/** What is wrong with the draft, and what is noteworthy. */
export const Problems = ({ validation, onGoTo }: ProblemsProps) => {
  const { diagnostics = [], error, isChecking, retry } = validation;
  const isGood = !isChecking && validation.diagnostics?.length === 0;
  return (
    <section className="problems" aria-label="Problems">
      <p role="status" className={isGood ? "good-text" : undefined}>
        <Icon name={isGood ? "check" : "warning"} />
        {summaryOf(validation)}
        {isChecking && validation.diagnostics !== undefined && <span className="hint"> checking…</span>}
      </p>
      {error !== null && <ErrorNote error={error} title="The policy could not be checked" onRetry={retry} />}
      {diagnostics.length > 0 && (
        <ul>
          {diagnostics.map((each, index) => (
            <Problem key={`${index} ${each.text}`} diagnostic={each} onGoTo={onGoTo} />
          ))}
        </ul>
      )}
    </section>
  );
};

const Problem = ({
  diagnostic: { severity, path, text, place, statement },
  onGoTo,
}: Pick<ProblemsProps, "onGoTo"> & { readonly diagnostic: PolicyDiagnostic }) => (
  <li className={severity}>
    <span className={`tag ${severity === "error" ? "bad" : "warn"}`}>
      {severity === "error" ? "Error" : "Warning"}
    </span>
    <span className="problem-text">
      <PlainText text={text} limit={600} />
      {path !== cypherPath && path !== "" && (
        <small className="mono">
          <PlainText text={path} limit={160} />
        </small>
      )}
      {statement !== undefined && (
        <span className="row">
          <code>
            <PlainText text={statement} limit={300} />
          </code>
          <CopyButton text={statement} label="Statement" />
        </span>
      )}
    </span>
    {place !== undefined &&
      (onGoTo === undefined ? (
        <span className="hint">
          line {place.line}, column {place.column}
        </span>
      ) : (
        <button type="button" className="button quiet small" onClick={() => onGoTo({ ...place })}>
          line {place.line}, column {place.column}
        </button>
      ))}
  </li>
);
