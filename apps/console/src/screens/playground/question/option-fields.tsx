import { useId } from "react";
import type { Draft } from "./playground-search.ts";
import type { Field } from "./question.ts";
import { TextField } from "../../../parts/text-field.tsx";

interface OptionProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly token: string;
  readonly onToken: (token: string) => void;
  readonly wrong: Readonly<Partial<Record<Field, string>>>;
}

/** What most questions go without: a person's token, parameters, tags. */
export const OptionFields = ({ draft, onChange, token, onToken, wrong }: OptionProps) => {
  const id = useId();
  const isUsed = draft.params !== "" || draft.tags !== "" || token !== "";
  return (
    <details className="options" open={isUsed || undefined}>
      <summary>Token, parameters and tags</summary>
      <div className="stack">
        <div className="field">
          <label htmlFor={id}>Token of the person</label>
          <input
            id={id}
            type="password"
            className="mono"
            autoComplete="off"
            spellCheck={false}
            value={token}
            aria-describedby={`${id}-hint`}
            onChange={(event) => onToken(event.target.value.trim())}
          />
          <p className="hint" id={`${id}-hint`}>
            For policies that read <code>$token</code>. It stays in this tab and is never part of a link.
          </p>
        </div>
        <TextField
          label="Parameters, as JSON"
          value={draft.params}
          onChange={(params) => onChange({ ...draft, params })}
          wrong={wrong.params}
          placeholder='{"limit": 3}'
        />
        <TextField
          label="Only policies with these tags"
          value={draft.tags}
          onChange={(tags) => onChange({ ...draft, tags })}
          wrong={wrong.tags}
          placeholder="shop, mobile"
        />
      </div>
    </details>
  );
};
