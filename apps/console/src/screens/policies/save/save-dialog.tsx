import type { AuthorizationPolicyRecord } from "@ikg/client";
import { Dialog } from "radix-ui";
import { Difference } from "../../../parts/code/difference.tsx";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { Note } from "../../../parts/note.tsx";
import { PlainText } from "../../../parts/plain-text.tsx";
import { type PolicyDraft, textOf } from "../draft/draft.ts";
import { readableText } from "../draft/readable.ts";
import type { PolicyEditing } from "../draft/use-policy-draft.ts";
import type { PolicyValidation } from "../draft/use-validation.ts";
import { type ImpactInputs, putOf } from "../impact/impact-of.ts";
import { ImpactView } from "../impact/impact-view.tsx";
import { useImpact } from "../impact/use-impact.ts";
import { isConflict, useSave } from "./use-save.ts";

interface SaveDialogProps {
  readonly projectId: string;
  readonly editing: PolicyEditing;
  readonly validation: PolicyValidation;
  readonly inputs: ImpactInputs;
  readonly onClose: () => void;
  readonly onSaved: (record: AuthorizationPolicyRecord) => void;
}

/** A draft in lines, as a record of it is shown. */
export const readableDraft = (draft: PolicyDraft): string =>
  readableText({
    name: draft.name,
    display_name: draft.displayName,
    description: draft.description,
    status: draft.status,
    tags: [...draft.tags],
    policy: textOf(draft) ?? "",
  });

/** What saving would change, shown before it is done. */
export const SaveDialog = (props: SaveDialogProps) => {
  const { projectId, editing, inputs, validation, onClose, onSaved } = props;
  const { draft, base } = editing;
  const save = useSave(projectId, editing, { onSaved, onConflict: onClose });
  const impact = useImpact(projectId, putOf(draft), inputs);
  const errors = validation.diagnostics?.filter(({ severity }) => severity === "error").length ?? 0;
  const isRefused = errors > 0 && draft.status !== "DRAFT";
  const isWaiting = validation.isChecking || (!isRefused && impact.isPending && impact.isFetching);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && !save.isPending && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-overlay" />
        <Dialog.Content className="dialog wide-dialog" onInteractOutside={(event) => event.preventDefault()}>
          <Dialog.Title>
            {base === undefined ? "Create" : "Save"} “<PlainText text={draft.name} limit={80} />”
          </Dialog.Title>
          <Dialog.Description className="lead">What changes, and whose access.</Dialog.Description>
          <section className="stack tight" aria-label="Text">
            <Difference
              formerLabel={base === undefined ? "Nothing" : "As it is"}
              former={base === undefined ? "" : readableText(base.record)}
              latterLabel="As it will be"
              latter={readableDraft(draft)}
              isUnified
            />
          </section>
          <section className="stack tight" aria-label="Impact">
            <h3>Impact</h3>
            {isRefused ? (
              <Note tone="warn">
                <p>
                  The policy has {errors === 1 ? "an error" : `${errors} errors`}. Only a draft may have some:
                  correct the policy, or set its status to Draft.
                </p>
              </Note>
            ) : (
              <ImpactView query={impact} params={inputs.params} />
            )}
          </section>
          {save.isError && !isConflict(save.error) && <ErrorNote error={save.error} title="Not saved" />}
          <div className="row end dialog-foot">
            <button type="button" className="button" disabled={save.isPending} onClick={onClose}>
              Back to editing
            </button>
            <button
              type="button"
              className="button primary"
              disabled={isRefused || isWaiting || save.isPending}
              onClick={() => save.mutate()}
            >
              {save.isPending ? "Saving…" : isWaiting ? "Looking at the impact…" : "Save"}
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
