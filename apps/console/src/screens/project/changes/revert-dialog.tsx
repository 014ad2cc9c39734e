import type { AppliedChanges, ChangeRecordWithTexts } from "@ikg/client";
import { Dialog } from "radix-ui";
import { useMemo, useState } from "react";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Note } from "../../../components/note.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { TextField } from "../../../fields/text-field.tsx";
import { useMay } from "../../../session/use-admin.ts";
import { noInputs } from "../../policies/impact/impact-of.ts";
import { ImpactView } from "../../policies/impact/impact-view.tsx";
import { type ImpactQuery, useImpact } from "../../policies/impact/use-impact.ts";
import "../../policies/policies.css";
import { inversePolicies } from "./inverse-changes.ts";
import { inverseText, kindOf } from "./readable-content.ts";
import { changedSince, useRevert } from "./use-changes.ts";

interface RevertDialogProps {
  readonly projectId: string;
  readonly change: ChangeRecordWithTexts;
  readonly onClose: () => void;
  readonly onReverted: (applied: AppliedChanges) => void;
}

/** Whose access a revert changes; undefined where it is about no policy, or the role may not simulate. */
const useRevertImpact = (projectId: string, change: ChangeRecordWithTexts): ImpactQuery | undefined => {
  const maySimulate = useMay()("simulate", projectId);
  const inverse = useMemo(() => (maySimulate ? inversePolicies(change) : undefined), [maySimulate, change]);
  const impact = useImpact(projectId, inverse, noInputs);
  return inverse === undefined ? undefined : impact;
};

/** Reverts a change after showing what that does and, for roles that may simulate, its impact; later changes are overwritten only after a second confirmation. */
export const RevertDialog = ({ projectId, change, onClose, onReverted }: RevertDialogProps) => {
  const [message, setMessage] = useState("");
  const revert = useRevert(projectId, change.id, onReverted);
  const impact = useRevertImpact(projectId, change);
  const isCalculating = impact !== undefined && impact.isPending && impact.isFetching;
  const since = changedSince(revert.error);
  const isRefused = since.length > 0;
  return (
    <Dialog.Root open onOpenChange={(open) => !open && !revert.isPending && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-overlay" />
        <Dialog.Content
          className="dialog wide-dialog"
          onEscapeKeyDown={(event) => message !== "" && event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
        >
          <Dialog.Title>Revert this change</Dialog.Title>
          <Dialog.Description className="lead">
            A new change restores the previous state. It can be reverted, too.
          </Dialog.Description>
          <InverseChanges change={change} />
          {impact !== undefined && (
            <section className="stack tight" aria-label="Impact">
              <h3>Impact</h3>
              <ImpactView query={impact} params={noInputs.params} />
            </section>
          )}
          <TextField
            label="Why (kept in the change history)"
            value={message}
            onChange={setMessage}
            error={undefined}
          />
          {isRefused && <ChangedSince conflicts={since} />}
          {revert.isError && !isRefused && <ErrorNote error={revert.error} title="Not reverted" />}
          <div className="row end dialog-foot">
            <button type="button" className="button" disabled={revert.isPending} onClick={onClose}>
              Keep it as it is
            </button>
            <button
              type="button"
              className={isRefused ? "button danger" : "button primary"}
              disabled={revert.isPending || isCalculating}
              onClick={() => revert.mutate({ message, force: isRefused })}
            >
              {revertText({ isReverting: revert.isPending, isCalculating, isRefused })}
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

const InverseChanges = ({ change: { changes } }: Pick<RevertDialogProps, "change">) => (
  <ul className="inverse">
    {changes.map((each) => (
      <li key={each.id}>
        The {kindOf(each)} <PlainText text={each.name} limit={120} /> {inverseText(each)}.
      </li>
    ))}
  </ul>
);

interface RevertState {
  readonly isReverting: boolean;
  /** The impact is not known yet. */
  readonly isCalculating: boolean;
  /** Later changes would be overwritten. */
  readonly isRefused: boolean;
}

/** What the button says. */
const revertText = ({ isReverting, isCalculating, isRefused }: RevertState): string => {
  if (isReverting) return "Reverting…";
  if (isCalculating) return "Calculating the impact…";
  return isRefused ? "Revert anyway" : "Revert";
};

/** What stands in the way: later changes, which a revert would overwrite. */
const ChangedSince = ({ conflicts }: { readonly conflicts: readonly string[] }) => (
  <Note tone="warn">
    <p>
      <strong>Changed since.</strong> Reverting would overwrite later changes:
    </p>
    <ul>
      {conflicts.map((each) => (
        <li key={each}>
          <PlainText text={each} limit={300} />
        </li>
      ))}
    </ul>
  </Note>
);
