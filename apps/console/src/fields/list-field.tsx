import { useId, useState } from "react";
import { describedBy, FieldNotes } from "./field-notes.tsx";
import { Icon } from "../components/icon.tsx";
import { PlainText } from "../components/plain-text.tsx";
import { displayText } from "../text/display-text.ts";

interface ListFieldProps {
  readonly label: string;
  /** As "action" or "tag". */
  readonly item: string;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  readonly error?: string | undefined;
  readonly isReadOnly?: boolean;
  readonly max: number;
  /** What may be added, as one types. */
  readonly suggestions?: readonly string[];
  /** Whether a value is the one that `error` is about. */
  readonly isInvalid?: (index: number) => boolean;
}

/** Several short texts: Enter adds one, and each can be removed. */
export const ListField = (props: ListFieldProps) => {
  const { label, values, error, isReadOnly = false, max, suggestions = [] } = props;
  const id = useId();
  return (
    <div className="field" role="group" aria-labelledby={`${id}-label`}>
      <span className="label" id={`${id}-label`}>
        {label}
      </span>
      <div className="list-field">
        {values.map((value, index) => (
          <ListItem key={`${index} ${value}`} list={props} value={value} index={index} />
        ))}
        {isReadOnly && values.length === 0 && <span className="hint">none</span>}
        {!isReadOnly && values.length < max && <NewItem list={props} id={id} />}
        {suggestions.length > 0 && (
          <datalist id={`${id}-list`}>
            {suggestions.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        )}
      </div>
      <FieldNotes id={id} error={error} hint={undefined} />
    </div>
  );
};

interface ListItemProps {
  readonly list: ListFieldProps;
  readonly value: string;
  readonly index: number;
}

const ListItem = ({ list, value, index }: ListItemProps) => {
  const { item, values, onChange, isReadOnly = false, isInvalid } = list;
  return (
    <span className={isInvalid?.(index) === true ? "tag bad" : "tag"}>
      <PlainText text={value} limit={40} />
      {!isReadOnly && (
        <button
          type="button"
          aria-label={`Remove the ${item} ${displayText(value, 60)}`}
          onClick={() => onChange(values.filter((_, at) => at !== index))}
        >
          <Icon name="cross" />
        </button>
      )}
    </span>
  );
};

interface NewItemProps {
  readonly list: ListFieldProps;
  /** Of the field. */
  readonly id: string;
}

const NewItem = ({ list, id }: NewItemProps) => {
  const { item, values, onChange, error, suggestions = [] } = list;
  const [typed, setTyped] = useState("");
  const add = (): void => {
    const text = typed.trim();
    if (text === "") return;
    if (!values.includes(text)) onChange([...values, text]);
    setTyped("");
  };
  return (
    <input
      aria-label={`Add: ${item}`}
      aria-invalid={error !== undefined}
      aria-describedby={describedBy({ id, error, hint: undefined })}
      placeholder={values.length === 0 ? `type one, then Enter` : "add"}
      value={typed}
      autoComplete="off"
      list={suggestions.length === 0 ? undefined : `${id}-list`}
      spellCheck={false}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={add}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        add();
      }}
    />
  );
};
