import type { TextPosition } from "../../text/text-position.ts";
import type { CompletionWords } from "./completions.ts";

/** A remark at a place of the text. */
export interface CodeDiagnostic {
  readonly severity: "error" | "warning";
  readonly text: string;
  /** Undefined: about the whole. */
  readonly place: TextPosition | undefined;
}

export interface CodeEditorProps {
  readonly label: string;
  readonly language: "cypher" | "json";
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isReadOnly?: boolean;
  readonly diagnostics?: readonly CodeDiagnostic[];
  /** What is offered while the author types; undefined: nothing. */
  readonly completions?: CompletionWords | undefined;
  /** Puts the caret there and the focus into the editor, when it changes. */
  readonly goTo?: TextPosition | undefined;
}
