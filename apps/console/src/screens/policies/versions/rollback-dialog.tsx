import { useMutation } from "@tanstack/react-query";
import { Dialog } from "radix-ui";
import { useId, useState } from "react";
import { Difference } from "../../../parts/code/difference.tsx";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { Loading } from "../../../parts/loading.tsx";
import { useAdmin } from "../../../session/use-admin.ts";
import { draftOf } from "../draft/draft.ts";
import { readableText } from "../draft/readable.ts";
import type { ReadPolicy } from "../draft/use-policy-draft.ts";
import { type ImpactInputs, putOf } from "../impact/impact-of.ts";
import { ImpactView } from "../impact/impact-view.tsx";
import { useImpact } from "../impact/use-impact.ts";
import { usePoliciesChanged } from "../save/use-save.ts";
import { useVersion } from "./use-version.ts";

interface RollbackDialogProps {
  readonly projectId: string;
  readonly policy: ReadPolicy;
  readonly version: number;
  readonly inputs: ImpactInputs;
  readonly onClose: () => void;
  readonly onRolledBack: () => void;
}

/** Makes a new version with the content of a former one, after showing what that changes. */
export const RollbackDialog = (props: RollbackDialogProps) => {
  const { projectId, policy, version, inputs, onClose, onRolledBack } = props;
  const [message, setMessage] = useState("");
  const id = useId();
  const admin = useAdmin(projectId);
  const changed = usePoliciesChanged();
  const former = useVersion(projectId, policy.record.id, version);
  const impact = useImpact(projectId, former.data && putOf(draftOf(former.data)), inputs);
  const rollback = useMutation({
    mutationFn: () =>
      admin.policies.rollback(policy.record.id, version, {
        ifMatch: policy.etag,
        ...(message.trim() !== "" && { message: message.trim() }),
      }),
    onSuccess: async () => {
      await changed();
      onRolledBack();
    },
  });
  const isWaiting = former.isPending || (impact.isPending && impact.isFetching);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && !rollback.isPending && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-overlay" />
        <Dialog.Content className="dialog wide-dialog">
          <Dialog.Title>Roll back to version {version}</Dialog.Title>
          <Dialog.Description className="lead">
            A new version gets its content; the versions between stay.
          </Dialog.Description>
          {former.error !== null && <ErrorNote error={former.error} title="The version could not be read" />}
          {former.data === undefined ? (
            former.error === null && <Loading what="the version" />
          ) : (
            <Difference
              formerLabel="As it is"
              former={readableText(policy.record)}
              latterLabel={`As in version ${version}`}
              latter={readableText(former.data)}
              isUnified
            />
          )}
          <section className="stack tight" aria-label="Impact">
            <h3>Impact</h3>
            <ImpactView query={impact} params={inputs.params} />
          </section>
          <div className="field">
            <label htmlFor={id}>Why (kept in the change history)</label>
            <input id={id} value={message} onChange={(event) => setMessage(event.target.value)} />
          </div>
          {rollback.isError && <ErrorNote error={rollback.error} title="Not rolled back" />}
          <div className="row end dialog-foot">
            <button type="button" className="button" disabled={rollback.isPending} onClick={onClose}>
              Keep it as it is
            </button>
            <button
              type="button"
              className="button primary"
              disabled={isWaiting || rollback.isPending || former.data === undefined}
              onClick={() => rollback.mutate()}
            >
              {rollback.isPending ? "Rolling back…" : isWaiting ? "Looking at the impact…" : "Roll back"}
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
