import { PlainText } from "../../../components/plain-text.tsx";
import { displayText } from "../../../text/display-text.ts";
import type { Rule } from "../use-rules.ts";

interface RuleStartsProps {
  readonly rules: readonly Rule[];
  readonly onStart: (rule: Rule) => void;
}

const shown = 12;

/** Begins a question with the types and the action of a policy. */
export const RuleStarts = ({ rules, onStart }: RuleStartsProps) => (
  <div className="starts">
    <span className="label" id="starts">
      Start from a policy
    </span>
    <div className="row" role="group" aria-labelledby="starts">
      {rules.slice(0, shown).map((rule) => (
        <button
          key={rule.name}
          type="button"
          className="button small chip"
          title={displayText(`${rule.subject} ${rule.actions.join(", ")} ${rule.resource}`, 200)}
          onClick={() => onStart(rule)}
        >
          <PlainText text={rule.name} limit={40} />
        </button>
      ))}
      {rules.length > shown && <span className="hint">and {rules.length - shown} more</span>}
    </div>
  </div>
);
