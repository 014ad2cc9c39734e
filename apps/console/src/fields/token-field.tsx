import { useId } from "react";

interface TokenFieldProps {
  readonly value: string;
  readonly onChange: (token: string) => void;
  /** What reads it. */
  readonly purpose: string;
}

/** The token of a person, with which an application asks. It stays in the memory of the tab. */
export const TokenField = ({ value, onChange, purpose }: TokenFieldProps) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Token of the person</label>
      <input
        id={id}
        type="password"
        className="mono"
        autoComplete="off"
        spellCheck={false}
        value={value}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <p className="hint" id={`${id}-hint`}>
        {purpose} The token stays in this tab and is never part of a link.
      </p>
    </div>
  );
};
