import { IkgError } from "@ikg/client";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { displayText } from "../../../text/display-text.ts";
import { isConflict } from "../../../editors/record-editor/use-save-record.ts";
import { useAdmin } from "../../../session/use-admin.ts";
import { FieldInput } from "../form/field-input.tsx";
import { FormButtons, FormDialog } from "../form/form-dialog.tsx";
import type { FormField, FormValues } from "../form/form-field.ts";
import { SaveError } from "../form/save-error.tsx";
import { type FieldErrors, jsonFieldErrors, noFieldErrors, placeErrors } from "../form/field-errors.ts";
import type { RecordKindView } from "./record-kind-view.ts";
import { collectionOf, type NamedRecord, type ReadRecord, useRecordsChanged } from "./use-records.ts";

interface RecordDialogProps<Row extends NamedRecord> {
  readonly projectId: string;
  readonly kind: RecordKindView<Row>;
  /** Undefined: a new record. */
  readonly edited?: ReadRecord<Row> | undefined;
  /** Members of a new record that the form does not ask for, as the record that contains it. */
  readonly context?: Readonly<Record<string, string>>;
  readonly onClose: () => void;
  readonly onSaved: (record: Row) => void;
}

/** Saves over the state that the form was opened with, and over no other. */
const useSaveRecord = <Row extends NamedRecord>(
  { projectId, kind, context, onSaved }: RecordDialogProps<Row>,
  edited: ReadRecord<Row> | undefined,
) => {
  const admin = useAdmin(projectId);
  const changed = useRecordsChanged(projectId);
  return useMutation({
    mutationFn: async (values: FormValues): Promise<Row> => {
      const collection = collectionOf<Row>(admin, kind.collection);
      const body = kind.bodyOf(values, edited === undefined);
      if (edited === undefined) return collection.create({ ...context, ...body });
      return collection.update(edited.record.id, () => body, { ifMatch: edited.etag });
    },
    onSuccess: async (record) => {
      await changed();
      onSaved(record);
    },
    onError: async (error) => {
      if (isConflict(error)) await changed();
    },
  });
};

const shownFields = (fields: readonly FormField[], values: FormValues, isNew: boolean) =>
  fields.filter((field) => (isNew || field.isFixed !== true) && field.isShown?.(values) !== false);

/** Creates a record, or changes one. */
export const RecordDialog = <Row extends NamedRecord>(props: RecordDialogProps<Row>) => {
  const { projectId, kind, onClose } = props;
  // The page reads the record again while the form is open: what was typed is based on the state of the beginning.
  const [edited] = useState(props.edited);
  const isNew = edited === undefined;
  const [values, setValues] = useState(() => kind.valuesOf(edited?.record));
  const [ownErrors, setOwnErrors] = useState<FieldErrors>(noFieldErrors);
  /** Fields that were changed since: errors are about the fields as they were sent. */
  const [corrected, setCorrected] = useState<ReadonlySet<string>>(new Set());
  const save = useSaveRecord(props, edited);
  const shown = shownFields(kind.fields, values, isNew);
  const errors = save.error instanceof IkgError ? save.error.errors : [];
  const fieldErrors = errors.length > 0 ? placeErrors(errors, shown, save.variables ?? values) : ownErrors;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = jsonFieldErrors(values, shown);
    setOwnErrors(found);
    setCorrected(new Set());
    if (Object.keys(found.fields).length === 0) save.mutate(values);
    else save.reset();
  };
  return (
    <FormDialog
      title={isNew ? `New ${kind.singular}` : `Change “${displayText(edited.record.name, 80)}”`}
      mayClose={!save.isPending}
      onClose={onClose}
    >
      <form className="stack" onSubmit={submit} noValidate>
        {shown.map((field) => (
          <FieldInput
            key={field.name}
            projectId={projectId}
            field={field}
            values={values}
            error={corrected.has(field.name) ? undefined : fieldErrors.fields[field.name]}
            onChange={(value) => {
              setValues((before) => ({ ...before, [field.name]: value }));
              setCorrected((before) => new Set(before).add(field.name));
            }}
          />
        ))}
        {save.isError && <SaveError error={save.error} fieldErrors={fieldErrors} />}
        <FormButtons
          isPending={save.isPending}
          label={isNew ? "Create" : "Save"}
          pendingLabel="Saving…"
          onCancel={onClose}
        />
      </form>
    </FormDialog>
  );
};
