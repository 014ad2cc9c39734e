interface FieldNotesProps {
  /** Of the field. */
  readonly id: string;
  readonly wrong: string | undefined;
  readonly hint: string | undefined;
}

/** What is wrong with a field, and its hint. */
export const FieldNotes = ({ id, wrong, hint }: FieldNotesProps) => (
  <>
    {wrong !== undefined && (
      <p className="wrong" id={`${id}-wrong`}>
        {wrong}
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
export const describedBy = ({ id, wrong, hint }: FieldNotesProps): string | undefined => {
  const ids = [
    ...(wrong === undefined ? [] : [`${id}-wrong`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  return ids.length === 0 ? undefined : ids.join(" ");
};
