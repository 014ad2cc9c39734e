import { type FileMapping, foreignKeysOf, type TableProfile } from "@ikg/imports/browser";
import { displayText } from "../../../text/display-text.ts";
import { Icon } from "../../../components/icon.tsx";
import { useSchema } from "../../../queries/use-schema.ts";
import {
  addKey,
  addNode,
  addRelationship,
  withNode,
  withoutNode,
  withoutRelationship,
  withRelationship,
} from "../work/section-edits.ts";
import { useColumnDrop } from "./column-drop.ts";
import { ColumnList } from "./column-list.tsx";
import { NodeCard } from "./node-card.tsx";
import { RelationshipCard } from "./relationship-card.tsx";

interface SectionFormProps {
  readonly projectId: string;
  readonly section: FileMapping;
  readonly profile: TableProfile;
  readonly sample: readonly string[];
  /** Of all files, which proposals of relationships look at. */
  readonly profiles: readonly TableProfile[];
  readonly onChange: (section: FileMapping) => void;
}

/** What the rows of a file become. */
export const SectionForm = ({
  projectId,
  section,
  profile,
  sample,
  profiles,
  onChange,
}: SectionFormProps) => {
  const { data } = useSchema(projectId);
  const types = Object.keys(data?.graph.nodes ?? {});
  const relationshipTypes = [...new Set(data?.graph.edges.map(({ relation }) => relation))];
  const { nodes = [], relationships = [] } = section;
  return (
    <div className="import-form">
      <ColumnList columns={profile.columns} sample={sample} />
      <div className="stack">
        {nodes.map((node, at) => (
          <NodeCard
            key={`node ${at} of ${nodes.length}`}
            node={node}
            profile={profile}
            types={types}
            onChange={(changed) => onChange(withNode(section, at, changed))}
            onRemove={() => onChange(withoutNode(section, at))}
          />
        ))}
        {relationships.map((relationship, at) => (
          <RelationshipCard
            key={`relationship ${at} of ${relationships.length}`}
            relationship={relationship}
            profile={profile}
            types={types}
            relationshipTypes={relationshipTypes}
            onChange={(changed) => onChange(withRelationship(section, at, changed))}
            onRemove={() => onChange(withoutRelationship(section, at))}
          />
        ))}
        <Proposals section={section} profile={profile} profiles={profiles} onChange={onChange} />
        <div className="import-new">
          <NewButton label="Add a node type" onAdd={(column) => onChange(addNode(section, column))} />
          <NewButton
            label="Add a relationship"
            onAdd={(column) => onChange(addRelationship(section, column))}
          />
        </div>
      </div>
    </div>
  );
};

const NewButton = ({
  label,
  onAdd,
}: {
  readonly label: string;
  readonly onAdd: (column?: string) => void;
}) => (
  <button type="button" className="button import-slot" onClick={() => onAdd()} {...useColumnDrop(onAdd)}>
    <Icon name="plus" />
    {label}
  </button>
);

type ProposalsProps = Pick<SectionFormProps, "section" | "profile" | "profiles" | "onChange">;

/** Columns that look like keys of rows: whether a relationship is meant, the data does not say. */
const Proposals = ({ section, profile, profiles, onChange }: ProposalsProps) => {
  const { relationships = [], nodes = [] } = section;
  const targets = relationships.flatMap(({ source, target }) => [source.external_id, target.external_id]);
  const keys = foreignKeysOf(profile, profiles).filter(
    ({ column }) => !targets.some((each) => each.includes(`{${column.name}}`)),
  );
  if (keys.length === 0 || nodes.length === 0) return null;
  return (
    <div className="import-proposals stack tight" role="group" aria-label="Proposed relationships">
      <span className="label">Looks like a key</span>
      {keys.map(({ column, role, type, file, isContained }) => (
        <div className="row" key={column.name}>
          <button
            type="button"
            className="button small"
            onClick={() => onChange(addKey(section, { column: column.name, role, type }))}
          >
            <Icon name="plus" />
            {displayText(column.name, 40)} → {displayText(type, 40)}
          </button>
          <span className="hint">
            {isContained && file !== undefined
              ? `its values are ids of ${displayText(file, 60)}`
              : "by its name; no chosen file has the rows that it refers to"}
          </span>
        </div>
      ))}
    </div>
  );
};
