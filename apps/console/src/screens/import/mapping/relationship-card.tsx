import type { NodeName, RelationshipMapping, TableProfile } from "@ikg/imports/browser";
import { displayText } from "../../../text/display-text.ts";
import { Icon } from "../../../components/icon.tsx";
import { TextField } from "../../../fields/text-field.tsx";
import { PropertyList } from "./property-list.tsx";
import { TemplateField } from "./template-field.tsx";

interface RelationshipCardProps {
  readonly relationship: RelationshipMapping;
  readonly profile: TableProfile;
  readonly types: readonly string[];
  readonly relationshipTypes: readonly string[];
  readonly onChange: (relationship: RelationshipMapping) => void;
  readonly onRemove: () => void;
}

/** A relationship of each row; a row without one of the ends has none. */
export const RelationshipCard = ({
  relationship,
  profile,
  types,
  relationshipTypes,
  onChange,
  onRemove,
}: RelationshipCardProps) => {
  const columns = profile.columns.map(({ name }) => name);
  const { source, type, target, when, properties } = relationship;
  const title = type === "" ? "Relationship" : displayText(type, 40);
  return (
    <div className="card import-card stack tight" role="group" aria-label={`Relationship ${title}`}>
      <div className="row spread">
        <h3>{title}</h3>
        <button
          type="button"
          className="button quiet small"
          aria-label={`Remove the relationship ${title}`}
          onClick={onRemove}
        >
          <Icon name="cross" />
          Remove
        </button>
      </div>
      <EndFields
        end="From"
        name={source}
        columns={columns}
        types={types}
        onChange={(changed) => onChange({ ...relationship, source: changed })}
      />
      <TextField
        label="Relationship type"
        value={type}
        suggestions={relationshipTypes}
        placeholder="MEMBER_OF"
        error={undefined}
        onChange={(changed) => onChange({ ...relationship, type: changed })}
      />
      <EndFields
        end="To"
        name={target}
        columns={columns}
        types={types}
        onChange={(changed) => onChange({ ...relationship, target: changed })}
      />
      <PropertyList
        properties={properties}
        profile={profile}
        onChange={(changed) => onChange({ ...relationship, properties: changed })}
      />
      {when !== undefined && (
        <p className="hint">
          Also: only rows with {displayText([when].flat().join(", "), 200)} (in the mapping file)
        </p>
      )}
    </div>
  );
};

interface EndFieldsProps {
  readonly end: "From" | "To";
  readonly name: NodeName;
  readonly columns: readonly string[];
  readonly types: readonly string[];
  readonly onChange: (name: NodeName) => void;
}

const EndFields = ({ end, name, columns, types, onChange }: EndFieldsProps) => (
  <div className="import-pair">
    <TextField
      label={`${end}: node type`}
      value={name.type}
      suggestions={types}
      error={undefined}
      onChange={(type) => onChange({ ...name, type })}
    />
    <TemplateField
      label={`${end}: id`}
      value={name.external_id}
      columns={columns}
      onChange={(external_id) => onChange({ ...name, external_id })}
    />
  </div>
);
