import { useState } from "react";
import { Difference } from "../code/difference.tsx";
import { Icon } from "../../components/icon.tsx";
import { Instant } from "../../components/instant.tsx";

interface ConflictNoteProps {
  /** As "policy" or "query". */
  readonly kind: string;
  /** When the other author saved. */
  readonly savedAt: string;
  /** The text of that author, in lines, and that of the draft. */
  readonly saved: string;
  readonly draft: string;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** It may be above what is in sight. */
const showNote = (element: HTMLElement | null): void => {
  element?.scrollIntoView({ block: "nearest" });
};

/** Another author has saved the record while it was edited here: nothing is overwritten unseen. */
export const ConflictNote = ({ kind, savedAt, saved, draft, onKeep, onDiscard }: ConflictNoteProps) => {
  const [isShown, setShown] = useState(true);
  return (
    <div className="note bad conflict" role="alert" ref={showNote}>
      <Icon name="warning" />
      <div className="note-body">
        <strong>This {kind} was changed while you edited it</strong>
        <p>
          It was saved at <Instant at={savedAt} /> by another author. Your draft is based on the previous text
          and has not been saved.
        </p>
        <div className="row">
          <button type="button" className="button small" onClick={() => setShown(!isShown)}>
            {isShown ? "Hide the difference" : "Show the difference"}
          </button>
          <button type="button" className="button small" onClick={onKeep}>
            Keep my draft, on top of theirs
          </button>
          <button type="button" className="button small danger" onClick={onDiscard}>
            Discard my draft
          </button>
        </div>
        {isShown && (
          <Difference formerLabel="Theirs, saved" former={saved} latterLabel="Your draft" latter={draft} />
        )}
      </div>
    </div>
  );
};
