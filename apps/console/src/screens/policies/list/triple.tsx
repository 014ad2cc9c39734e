import { JsonOnly } from "../../../editors/record-editor/json-only.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import type { PolicyForm } from "../draft/policy-form.ts";

type TripleParts = Pick<PolicyForm, "kind" | "subject" | "actions" | "resource">;

/** The subject type, actions and resource type of a policy; undefined for a text that the form cannot show. */
export const Triple = ({ form }: { readonly form: TripleParts | undefined }) => {
  if (form === undefined) return <JsonOnly />;
  const { kind, subject, actions, resource } = form;
  if (kind === "queries")
    return (
      <span className="rule-triple">
        <PlainText text={subject} limit={60} />
        <span className="soft">, by queries</span>
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
