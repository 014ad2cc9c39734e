import { useId } from "react";
import { type Lifetime, lifetimes } from "./lifetimes.ts";

interface LifetimeFieldsProps {
  /** As "key" or "token". */
  readonly noun: string;
  /** By default "Valid for". */
  readonly label?: string;
  readonly lifetime: Lifetime;
  readonly onChange: (lifetime: Lifetime) => void;
}

/** How long a new key or token is valid. */
export const LifetimeFields = ({ noun, label = "Valid for", lifetime, onChange }: LifetimeFieldsProps) => {
  const id = useId();
  const { kind, until } = lifetime;
  return (
    <>
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <select
          id={id}
          value={kind}
          onChange={(event) => onChange({ ...lifetime, kind: event.target.value })}
        >
          {lifetimes.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
      {kind === "until" && (
        <div className="field">
          <label htmlFor={`${id}-day`}>Last day</label>
          <input
            id={`${id}-day`}
            type="date"
            required
            // Browsers take years that a time of the API cannot have.
            max="9999-12-31"
            value={until}
            onChange={(event) => onChange({ ...lifetime, until: event.target.value })}
          />
        </div>
      )}
      {kind === "always" && (
        <p className="hint">
          A {noun} that never expires is valid until it is removed. Prefer an expiry date.
        </p>
      )}
    </>
  );
};
