import type { DataSchema } from "@ikg/client";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import { displayText } from "../../../text/display-text.ts";
import { Icon } from "../../../components/icon.tsx";
import type { NodesSearch } from "../graph-search.ts";

interface FindFormProps {
  readonly search: NodesSearch;
  readonly schema: DataSchema | null | undefined;
  /** The types are not known: one can be typed. */
  readonly isSchemaMissing: boolean;
}

/** The beginning of an id says something only within a type. */
const searchOf = (type: string, prefix: string): NodesSearch => ({
  ...(type !== "" && { type }),
  ...(type !== "" && prefix !== "" && { prefix }),
});

/** Finds nodes by type and by how their ids begin. */
export const FindForm = ({ search, schema, isSchemaMissing }: FindFormProps) => {
  const navigate = useNavigate();
  const id = useId();
  const [type, setType] = useState(search.type ?? "");
  const [prefix, setPrefix] = useState(search.prefix ?? "");
  const open = (next: NodesSearch): void => void navigate({ to: "/graph", search: next });
  const find = (event: FormEvent): void => {
    event.preventDefault();
    open(searchOf(type, prefix));
  };
  return (
    <form className="find-form" role="search" aria-label="Find nodes" onSubmit={find}>
      <div className="field">
        <label htmlFor={`${id}-type`}>Type</label>
        {isSchemaMissing ? (
          <input
            id={`${id}-type`}
            value={type}
            spellCheck={false}
            autoComplete="off"
            placeholder="All types"
            onChange={(event) => setType(event.target.value.trim())}
          />
        ) : (
          <TypeSelect
            id={`${id}-type`}
            type={type}
            schema={schema}
            onChoose={(chosen) => {
              setType(chosen);
              open(searchOf(chosen, prefix));
            }}
          />
        )}
      </div>
      <div className="field grow">
        <label htmlFor={`${id}-prefix`}>Id begins with</label>
        <input
          id={`${id}-prefix`}
          className="mono"
          value={prefix}
          spellCheck={false}
          autoComplete="off"
          disabled={type === ""}
          placeholder={type === "" ? "Choose a type first" : "Any id"}
          onChange={(event) => setPrefix(event.target.value)}
        />
      </div>
      <button type="submit" className="button primary">
        <Icon name="query" />
        Find
      </button>
    </form>
  );
};

interface TypeSelectProps extends Pick<FindFormProps, "schema"> {
  readonly id: string;
  /** Empty: all of them. */
  readonly type: string;
  readonly onChoose: (type: string) => void;
}

/** The types of the graph; one of a link that it does not have is among them. */
const TypeSelect = ({ id, type, schema, onChoose }: TypeSelectProps) => {
  const known = Object.entries(schema?.graph.nodes ?? {});
  return (
    <select id={id} value={type} onChange={(event) => onChoose(event.target.value)}>
      <option value="">All types</option>
      {type !== "" && !known.some(([name]) => name === type) && (
        <option value={type}>{displayText(type, 60)}</option>
      )}
      {known.map(([name, { metadata }]) => (
        <option key={name} value={name}>
          {displayText(name, 60)} ({metadata.node_count.toLocaleString()})
        </option>
      ))}
    </select>
  );
};
