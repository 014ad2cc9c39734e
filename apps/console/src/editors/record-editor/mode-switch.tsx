interface ModeSwitchProps<Mode> {
  readonly title: string;
  readonly isForm: boolean;
  /** The same text in the other mode; undefined where that is not possible. */
  readonly other: Mode | undefined;
  readonly onChange: (other: Mode) => void;
}

/** Changes between the form and the JSON of a text, where that loses nothing. */
export const ModeSwitch = <Mode,>({ title, isForm, other, onChange }: ModeSwitchProps<Mode>) => (
  <div className="row spread">
    <h2>{title}</h2>
    <span className="row">
      {other === undefined && (
        <span className="hint">
          {isForm ? "A field does not contain valid JSON." : "This text is too complex for the form."}
        </span>
      )}
      <button
        type="button"
        className="button small"
        disabled={other === undefined}
        onClick={() => other !== undefined && onChange(other)}
      >
        {isForm ? "Edit as JSON" : "Edit in the form"}
      </button>
    </span>
  </div>
);
