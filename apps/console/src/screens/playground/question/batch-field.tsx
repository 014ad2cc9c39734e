import { useId } from "react";
import type { Rule } from "../use-rules.ts";
import { quoteWord } from "./decision-line.ts";

interface BatchFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  readonly rules: readonly Rule[];
}

const exampleOf = (rules: readonly Rule[]): string => {
  const [rule] = rules;
  if (rule === undefined) return "Person ann may READ Document d1";
  return `${quoteWord(rule.subject)} ann may ${quoteWord(rule.actions[0] ?? "READ")} ${quoteWord(rule.resource)} d1`;
};

/** Questions, one a line. */
export const BatchField = ({ value, onChange, error, rules }: BatchFieldProps) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Questions, one a line</label>
      <textarea
        id={id}
        className="mono"
        rows={8}
        value={value}
        spellCheck={false}
        placeholder={exampleOf(rules)}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p className={error === undefined ? "hint" : "wrong"} id={`${id}-hint`}>
        {error ?? (
          <>
            <code>TYPE ID may ACTION TYPE ID</code>; parameters may follow as <code>{'{"limit": 3}'}</code>,
            and an id with blanks stands in double quotes.
          </>
        )}
      </p>
    </div>
  );
};
