import type { Draft } from "./playground-search.ts";
import type { Field } from "./question.ts";
import { OptionalFields } from "../../../fields/optional-fields.tsx";
import { TokenField } from "../../../fields/token-field.tsx";
import { TextField } from "../../../fields/text-field.tsx";

interface OptionProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly token: string;
  readonly onToken: (token: string) => void;
  readonly errors: Readonly<Partial<Record<Field, string>>>;
}

/** What most questions go without: a person's token, parameters, tags. */
export const OptionFields = ({ draft, onChange, token, onToken, errors }: OptionProps) => {
  const isUsed = draft.params !== "" || draft.tags !== "" || token !== "";
  return (
    <OptionalFields summary="Token, parameters and tags" isUsed={isUsed}>
      <div className="stack">
        <TokenField value={token} onChange={onToken} purpose="For policies that read $token." />
        <TextField
          label="Parameters, as JSON"
          value={draft.params}
          onChange={(params) => onChange({ ...draft, params })}
          error={errors.params}
          placeholder='{"limit": 3}'
        />
        <TextField
          label="Only policies with these tags"
          value={draft.tags}
          onChange={(tags) => onChange({ ...draft, tags })}
          error={errors.tags}
          placeholder="shop, mobile"
        />
      </div>
    </OptionalFields>
  );
};
