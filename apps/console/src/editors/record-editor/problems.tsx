import { CopyButton } from "../../components/copy-button.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { Icon } from "../../components/icon.tsx";
import { PlainText } from "../../components/plain-text.tsx";
import { countText } from "../../text/count-text.ts";
import type { TextPosition } from "../../text/text-position.ts";
import { cypherPath, type RecordDiagnostic } from "./diagnostics.ts";
import type { RecordValidation } from "./use-check.ts";

interface ProblemsProps {
  readonly validation: RecordValidation;
  readonly onGoTo: ((place: TextPosition) => void) | undefined;
}

const summaryOf = ({ diagnostics, isChecking }: RecordValidation): string => {
  if (diagnostics === undefined) return isChecking ? "Checking…" : "Not checked";
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  if (diagnostics.length === 0) return "No problem found";
  return [errors > 0 && countText(errors, "error"), warnings > 0 && countText(warnings, "warning")]
    .filter(Boolean)
    .join(", ");
};

/** The errors and warnings of the draft. */
export const Problems = ({ validation, onGoTo }: ProblemsProps) => {
  const { diagnostics = [], error, isChecking, retry } = validation;
  const isGood = validation.diagnostics?.length === 0;
  return (
    <section className="problems" aria-label="Problems">
      <p role="status" className={isGood && !isChecking ? "good-text" : undefined}>
        <Icon name={isGood ? "check" : "warning"} />
        {summaryOf(validation)}
        {isChecking && validation.diagnostics !== undefined && <span className="hint"> checking…</span>}
      </p>
      {error !== null && <ErrorNote error={error} title="The draft could not be checked" onRetry={retry} />}
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
}: Pick<ProblemsProps, "onGoTo"> & { readonly diagnostic: RecordDiagnostic }) => (
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
