import { useState } from "react";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Note } from "../../../components/note.tsx";

interface Secret {
  /** As "Key". */
  readonly label: string;
  readonly text: string;
}

interface ShownSecretProps {
  readonly secrets: readonly Secret[];
  readonly onDone: () => void;
}

/** A secret of a new credential: shown this once. Nothing keeps it when this is closed. */
export const ShownSecret = ({ secrets, onDone }: ShownSecretProps) => {
  const [isShown, setShown] = useState(false);
  const [first] = secrets;
  return (
    <div className="stack">
      <Note tone="warn">
        <p>
          <strong>Copy it now.</strong> It is shown only once: the suite stores a hash of it, and this tab
          forgets it when you close this dialog.
        </p>
      </Note>
      {first !== undefined && (
        <div className="field">
          <span className="label">{first.label}</span>
          <code className="code secret">
            {isShown ? first.text : `${first.text.slice(0, 4)}${"•".repeat(24)}`}
          </code>
        </div>
      )}
      <div className="row">
        {secrets.map(({ label, text }) => (
          <CopyButton key={label} label={`Copy ${label.toLowerCase()}`} text={text} />
        ))}
        <button
          type="button"
          className="button small"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? "Hide" : "Show"}
        </button>
      </div>
      <div className="row end dialog-foot">
        <button type="button" className="button primary" onClick={onDone}>
          I have saved it
        </button>
      </div>
    </div>
  );
};
