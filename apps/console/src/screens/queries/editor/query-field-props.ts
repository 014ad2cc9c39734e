import type { RecordDiagnostic } from "../../../editors/record-editor/diagnostics.ts";
import type { QueryForm } from "../draft/query-form.ts";

/** What each field of a query gets, of whichever list. */
export interface QueryFieldProps {
  readonly form: QueryForm;
  readonly diagnostics: readonly RecordDiagnostic[];
  readonly isReadOnly: boolean;
  readonly onChange: (form: QueryForm) => void;
}
