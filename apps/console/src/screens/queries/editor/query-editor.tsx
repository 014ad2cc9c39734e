import type { RecordDiagnostic } from "../../../editors/record-editor/diagnostics.ts";
import { RecordFields } from "../../../editors/record-editor/record-fields.tsx";
import { QueryTextEditor, type QueryTextEditorProps } from "./query-text-editor.tsx";

interface QueryEditorProps extends Omit<QueryTextEditorProps, "diagnostics"> {
  readonly isNew: boolean;
}

const statusHints = {
  ACTIVE: "Applications can run it, within two seconds of being saved.",
  INACTIVE: "It is stored but cannot be run.",
  DRAFT: "It is stored, may contain errors, and cannot be run.",
} as const;

const notChecked: readonly RecordDiagnostic[] = [];

/** The text and the record of a query, with their errors. */
export const QueryEditor = (props: QueryEditorProps) => {
  const { draft, validation, isNew, isReadOnly, onChange } = props;
  const { diagnostics = notChecked } = validation;
  return (
    <div className="record-editor">
      <QueryTextEditor {...props} diagnostics={diagnostics} />
      <RecordFields
        draft={draft}
        onChange={onChange}
        diagnostics={diagnostics}
        isNew={isNew}
        isReadOnly={isReadOnly}
        exampleName="rated-pilots"
        statusHints={statusHints}
      />
    </div>
  );
};
