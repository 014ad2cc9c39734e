interface FieldNotesProps {
  /** Of the field. */
  readonly id: string;
  readonly error: string | undefined;
  readonly hint: string | undefined;
}

/** The error of a field, and its hint. */
export const FieldNotes = ({ id, error, hint }: FieldNotesProps) => (
  <>
    {error !== undefined && (
      <p className="wrong" id={`${id}-wrong`}>
        {error}
      </p>
    )}
    {hint !== undefined && (
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
  </>
);

/** The ids of the notes, as the field names them for those who do not see them; undefined: it has none. */
export const describedBy = ({ id, error, hint }: FieldNotesProps): string | undefined => {
  const ids = [
    ...(error === undefined ? [] : [`${id}-wrong`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  return ids.length === 0 ? undefined : ids.join(" ");
};
