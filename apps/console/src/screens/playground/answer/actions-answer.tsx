import { Empty } from "../../../components/empty.tsx";
import { Icon } from "../../../components/icon.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import type { Answer } from "./ask.ts";

interface ActionsAnswerProps {
  readonly pages: Extract<Answer, { kind: "actions" }>["pages"];
  readonly onExplain: (action: string) => void;
}

/** What the subject may do with the resource. */
export const ActionsAnswer = ({ pages, onExplain }: ActionsAnswerProps) => {
  const actions = pages.flatMap(({ items }) => items.map(({ name }) => name));
  if (actions.length === 0)
    return (
      <Empty title="No action is allowed">
        <p>No policy lets this subject do anything with this resource.</p>
      </Empty>
    );
  return (
    <div className="stack">
      <p role="status">
        <strong>{actions.length}</strong> {actions.length === 1 ? "action is" : "actions are"} allowed
      </p>
      <ul className="found-actions">
        {actions.map((action) => (
          <li key={action} className="card row">
            <span className="tag good">
              <Icon name="check" />
              <PlainText text={action} limit={80} />
            </span>
            <button type="button" className="button small" onClick={() => onExplain(action)}>
              Why?
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};
