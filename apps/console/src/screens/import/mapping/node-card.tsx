import type { NodeMapping, TableProfile } from "@ikg/imports/browser";
import { displayText } from "../../../text/display-text.ts";
import { Icon } from "../../../components/icon.tsx";
import { TextField } from "../../../fields/text-field.tsx";
import { PropertyList } from "./property-list.tsx";
import { TemplateField } from "./template-field.tsx";

interface NodeCardProps {
  readonly node: NodeMapping;
  readonly profile: TableProfile;
  /** Types that the graph has. */
  readonly types: readonly string[];
  readonly onChange: (node: NodeMapping) => void;
  readonly onRemove: () => void;
}

/** What is edited only in the mapping file, and kept. */
const elsewhere = ({ when, labels }: NodeMapping): readonly string[] => [
  ...(when === undefined ? [] : [`only rows with ${[when].flat().join(", ")}`]),
  ...(labels === undefined ? [] : [`labels ${labels.join(", ")}`]),
];

/** A node of each row. */
export const NodeCard = ({ node, profile, types, onChange, onRemove }: NodeCardProps) => {
  const columns = profile.columns.map(({ name }) => name);
  const { is_identity: isIdentity = false, ...rest } = node;
  const kept = elsewhere(node);
  const title = node.type === "" ? "Node" : displayText(node.type, 40);
  return (
    <div className="card import-card stack tight" role="group" aria-label={`Node type ${title}`}>
      <div className="row spread">
        <h3>{title}</h3>
        <button
          type="button"
          className="button quiet small"
          aria-label={`Remove the node type ${title}`}
          onClick={onRemove}
        >
          <Icon name="cross" />
          Remove
        </button>
      </div>
      <div className="import-pair">
        <TextField
          label="Node type"
          value={node.type}
          suggestions={types}
          placeholder="Person"
          error={undefined}
          onChange={(type) => onChange({ ...node, type })}
        />
        <TemplateField
          label="Id"
          value={node.external_id}
          columns={columns}
          onChange={(external_id) => onChange({ ...node, external_id })}
        />
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={isIdentity}
          onChange={({ target }) => onChange(target.checked ? { ...rest, is_identity: true } : rest)}
        />
        <span>
          Identity nodes
          <small>subjects of decisions, such as people and agents</small>
        </span>
      </label>
      <PropertyList
        properties={node.properties}
        profile={profile}
        onChange={(properties) => onChange({ ...node, properties })}
      />
      {kept.length > 0 && (
        <p className="hint">Also: {displayText(kept.join("; "), 200)} (in the mapping file)</p>
      )}
    </div>
  );
};
