import { useState } from "react";
import { Difference } from "../../../parts/code/difference.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { Instant } from "../../../parts/instant.tsx";
import { readableText } from "../draft/readable.ts";
import type { PolicyEditing, ReadPolicy } from "../draft/use-policy-draft.ts";
import { readableDraft } from "./save-dialog.tsx";

interface ConflictNoteProps {
  readonly editing: PolicyEditing;
  readonly theirs: ReadPolicy;
}

/** It may be above what is in sight. */
const showNote = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "nearest" });

/** The policy was saved elsewhere while it was edited here: nothing is overwritten unseen. */
export const ConflictNote = ({ editing, theirs }: ConflictNoteProps) => {
  const [isShown, setShown] = useState(true);
  return (
    <div className="note bad conflict" role="alert" ref={showNote}>
      <Icon name="warning" />
      <div className="note-body">
        <strong>This policy was changed while you edited it</strong>
        <p>
          It was saved at <Instant at={theirs.record.update_time} /> by another editor. Your draft was made
          from the text before, and is not saved.
        </p>
        <div className="row">
          <button type="button" className="button small" onClick={() => setShown(!isShown)}>
            {isShown ? "Hide the difference" : "Show the difference"}
          </button>
          <button type="button" className="button small" onClick={editing.rebase}>
            Keep my draft, on top of theirs
          </button>
          <button type="button" className="button small danger" onClick={editing.discard}>
            Discard my draft
          </button>
        </div>
        {isShown && (
          <Difference
            formerLabel="Theirs, saved"
            former={readableText(theirs.record)}
            latterLabel="Your draft"
            latter={readableDraft(editing.draft)}
          />
        )}
      </div>
    </div>
  );
};
