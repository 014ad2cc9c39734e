import { type TableProfile, type ValueKind, valueKinds } from "@ikg/imports/browser";
import { useState } from "react";
import { displayText } from "../../../text/display-text.ts";
import { Icon } from "../../../components/icon.tsx";
import {
  addProperty,
  columnOf,
  kindOf,
  type Properties,
  renamedProperty,
  withColumn,
  withKind,
  withProperty,
} from "../work/section-edits.ts";
import { ColumnAdd } from "./column-add.tsx";
import { useColumnDrop } from "./column-drop.ts";
import { ColumnSelect } from "./column-select.tsx";

interface PropertyListProps {
  readonly properties: Properties | undefined;
  readonly profile: TableProfile;
  readonly onChange: (properties: Properties) => void;
}

/** The properties that a node or relationship has of columns. */
export const PropertyList = ({ properties, profile, onChange }: PropertyListProps) => {
  const columns = profile.columns.map(({ name }) => name);
  const add = (column: string): void => onChange(addProperty(properties, column, profile));
  const drop = useColumnDrop(add);
  return (
    <div className="import-properties import-slot" role="group" aria-label="Properties" {...drop}>
      <span className="label">Properties</span>
      {properties !== undefined &&
        Object.entries(properties).map(([name, property]) => (
          <PropertyRow
            key={name}
            name={name}
            property={property}
            columns={columns}
            isTaken={(typed) => typed !== name && Object.hasOwn(properties, typed)}
            onRename={(to) => onChange(renamedProperty(properties, name, to))}
            onChange={(changed) => onChange(withProperty(properties, name, changed))}
          />
        ))}
      <ColumnAdd
        label="Add a property of a column"
        prompt="drop a column here, or choose one"
        columns={columns}
        onAdd={add}
      />
    </div>
  );
};

interface PropertyRowProps {
  readonly name: string;
  readonly property: Properties[string];
  readonly columns: readonly string[];
  /** Whether another property has a name. */
  readonly isTaken: (name: string) => boolean;
  readonly onRename: (name: string) => void;
  readonly onChange: (property: Properties[string] | undefined) => void;
}

const isKind = (value: string): value is ValueKind => valueKinds.some((each) => each === value);

const PropertyRow = ({ name, property, columns, isTaken, onRename, onChange }: PropertyRowProps) => {
  const column = columnOf(property);
  const shown = displayText(name, 40);
  return (
    <div className="import-property">
      <PropertyName name={name} isTaken={isTaken} onRename={onRename} />
      {column === undefined ? (
        <span className="hint">set in the mapping file</span>
      ) : (
        <>
          <ColumnSelect
            label={`Column of the property ${shown}`}
            prompt="column"
            columns={columns}
            value={column}
            onChange={(chosen) => onChange(withColumn(property, chosen))}
          />
          <select
            aria-label={`Kind of the property ${shown}`}
            value={kindOf(property) ?? ""}
            onChange={({ target }) =>
              onChange(withKind(property, isKind(target.value) ? target.value : undefined))
            }
          >
            <option value="">as it is</option>
            {valueKinds.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
        </>
      )}
      <button
        type="button"
        className="button quiet small"
        aria-label={`Remove the property ${shown}`}
        onClick={() => onChange(undefined)}
      >
        <Icon name="cross" />
      </button>
    </div>
  );
};

const PropertyName = ({
  name,
  isTaken,
  onRename,
}: Pick<PropertyRowProps, "name" | "isTaken" | "onRename">) => {
  const [typed, setTyped] = useState(name);
  const isWrong = isTaken(typed);
  return (
    <div className="stack tight">
      <input
        aria-label={`Name of the property ${displayText(name, 40)}`}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={isWrong}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => {
          // With its new name it is another row; without one it keeps the name that it has.
          onRename(typed);
          setTyped(name);
        }}
      />
      {isWrong && (
        <small className="wrong" role="status">
          Another property has this name
        </small>
      )}
    </div>
  );
};
