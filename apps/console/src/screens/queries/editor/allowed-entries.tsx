import { PlainText } from "../../../components/plain-text.tsx";
import { displayText } from "../../../text/display-text.ts";

interface AllowedEntriesProps {
  /** The label of the field. */
  readonly label: string;
  readonly texts: readonly string[];
  readonly onAdd: (text: string) => void;
  readonly isDisabled?: boolean;
}

/** More are suggested as one types. */
const shown = 16;

const shownCharacters = 60;

/** What a policy allows in a list, to be added by a click. */
export const AllowedEntries = ({ label, texts, onAdd, isDisabled = false }: AllowedEntriesProps) =>
  texts.length === 0 ? null : (
    <div className="row allowed-entries" role="group" aria-label={`${label}: allowed by the policy`}>
      <span className="hint">Allowed:</span>
      {texts.slice(0, shown).map((text) => (
        <button
          key={text}
          type="button"
          className="button small chip mono"
          aria-label={`Add ${displayText(text, shownCharacters)}`}
          disabled={isDisabled}
          onClick={() => onAdd(text)}
        >
          + <PlainText text={text} limit={shownCharacters} />
        </button>
      ))}
      {texts.length > shown && <span className="hint">and {texts.length - shown} more</span>}
    </div>
  );

/** A list in which the policy allows nothing, and nothing is asked: it is not worth a field. */
export const NotAllowed = ({ label }: { readonly label: string }) => (
  <p className="hint not-allowed">
    <strong>{label}</strong>: the policy allows none.
  </p>
);
