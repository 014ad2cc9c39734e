import { PlainText } from "../../../parts/plain-text.tsx";
import type { PolicyForm } from "../draft/policy-form.ts";

type TripleParts = Pick<PolicyForm, "kind" | "subject" | "actions" | "resource">;

/** Who may do what with what, as a policy says it; undefined for a text that says none. */
export const Triple = ({ form }: { readonly form: TripleParts | undefined }) => {
  if (form === undefined) return <span className="hint">Has no such form; edited as JSON</span>;
  const { kind, subject, actions, resource } = form;
  if (kind === "queries")
    return (
      <span className="rule-triple">
        <PlainText text={subject} limit={60} /> <span className="soft">reads and writes by queries</span>
      </span>
    );
  return (
    <span className="rule-triple">
      <PlainText text={subject} limit={60} />{" "}
      <strong>
        <PlainText text={actions.join(", ")} limit={120} />
      </strong>{" "}
      <PlainText text={resource} limit={60} />
    </span>
  );
};
