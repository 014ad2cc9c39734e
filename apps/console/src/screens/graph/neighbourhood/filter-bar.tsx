import type { ReactNode } from "react";
import { useId } from "react";
import { PlainText } from "../../../components/plain-text.tsx";
import { TypeMark } from "../type-mark.tsx";
import type { Filters } from "./neighbourhood-store.ts";

interface FilterBarProps {
  readonly filters: Filters;
  readonly onFilters: (filters: Filters) => void;
  /** Those that can be chosen. */
  readonly relationshipTypes: readonly string[];
  /** Of the nodes that are there, with how many there are. */
  readonly nodeTypes: ReadonlyMap<string, number>;
  readonly hiddenTypes: ReadonlySet<string>;
  readonly onHiddenTypes: (hidden: ReadonlySet<string>) => void;
}

const toggled = <T,>(set: Iterable<T>, value: T): T[] => {
  const values = new Set(set);
  if (!values.delete(value)) values.add(value);
  return [...values];
};

const directionOf = (value: string): Filters["direction"] =>
  value === "in" || value === "out" ? value : undefined;

/** Which relationships and which nodes are shown; the nodes' part is also the legend of the drawing. */
export const FilterBar = ({
  filters,
  onFilters,
  relationshipTypes,
  nodeTypes,
  hiddenTypes,
  onHiddenTypes,
}: FilterBarProps) => {
  const id = useId();
  return (
    <div className="filters">
      <div className="filter">
        <label className="label" htmlFor={id}>
          Direction
        </label>
        <select
          id={id}
          value={filters.direction ?? "both"}
          onChange={({ target }) => onFilters({ ...filters, direction: directionOf(target.value) })}
        >
          <option value="both">in and out</option>
          <option value="out">out: they leave the node</option>
          <option value="in">in: they end at the node</option>
        </select>
      </div>
      <ChipGroup label="Relationships">
        <Chip isOn={filters.types.length === 0} onToggle={() => onFilters({ ...filters, types: [] })}>
          all
        </Chip>
        {relationshipTypes.map((type) => (
          <Chip
            key={type}
            isOn={filters.types.includes(type)}
            onToggle={() => onFilters({ ...filters, types: toggled(filters.types, type) })}
          >
            <PlainText text={type} limit={40} />
          </Chip>
        ))}
      </ChipGroup>
      <ChipGroup label="Nodes">
        {[...nodeTypes].map(([type, count]) => (
          <Chip
            key={type}
            isOn={!hiddenTypes.has(type)}
            onToggle={() => onHiddenTypes(new Set(toggled(hiddenTypes, type)))}
          >
            <TypeMark type={type} />
            <PlainText text={type} limit={40} />
            <span className="chip-count">{count.toLocaleString()}</span>
          </Chip>
        ))}
      </ChipGroup>
    </div>
  );
};

const ChipGroup = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="filter" role="group" aria-label={label}>
    <span className="label" aria-hidden="true">
      {label}
    </span>
    <div className="chips">{children}</div>
  </div>
);

interface ChipProps {
  readonly isOn: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

const Chip = ({ isOn, onToggle, children }: ChipProps) => (
  <button type="button" className="chip" aria-pressed={isOn} onClick={onToggle}>
    {children}
  </button>
);
