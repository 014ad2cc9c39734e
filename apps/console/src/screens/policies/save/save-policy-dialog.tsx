import type { AuthorizationPolicyRecord } from "@ikg/client";
import { SaveDialog } from "../../../editors/record-editor/save-dialog.tsx";
import type { RecordValidation } from "../../../editors/record-editor/use-check.ts";
import { readableDraft, readableText } from "../draft/readable.ts";
import type { PolicyEditing } from "../draft/use-policy-draft.ts";
import { type ImpactInputs, putOf } from "../impact/impact-of.ts";
import { ImpactView } from "../impact/impact-view.tsx";
import { useImpact } from "../impact/use-impact.ts";
import { useSave } from "./use-save.ts";

interface SavePolicyDialogProps {
  readonly projectId: string;
  readonly editing: PolicyEditing;
  readonly validation: RecordValidation;
  readonly inputs: ImpactInputs;
  readonly onClose: () => void;
  readonly onSaved: (record: AuthorizationPolicyRecord) => void;
}

/** What saving a policy would change, and whose access. */
export const SavePolicyDialog = (props: SavePolicyDialogProps) => {
  const { projectId, editing, inputs, validation, onClose, onSaved } = props;
  const { draft, base } = editing;
  const save = useSave(projectId, editing, { onSaved, onConflict: onClose });
  const impact = useImpact(projectId, putOf(draft), inputs);
  return (
    <SaveDialog
      kind="policy"
      name={draft.name}
      status={draft.status}
      former={base && readableText(base.record)}
      latter={readableDraft(draft)}
      lead="What changes, and whose access."
      validation={validation}
      save={save}
      waitingFor={impact.isPending && impact.isFetching ? "Calculating the impact…" : undefined}
      onClose={onClose}
    >
      <section className="stack tight" aria-label="Impact">
        <h3>Impact</h3>
        <ImpactView query={impact} params={inputs.params} />
      </section>
    </SaveDialog>
  );
};
