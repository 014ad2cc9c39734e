import type { DataSchema } from "@ikg/client";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import { displayText } from "../../../parts/display-text.ts";
import { Icon } from "../../../parts/icon.tsx";
import type { NodesSearch } from "../graph-search.ts";

interface FindFormProps {
  readonly search: NodesSearch;
  readonly schema: DataSchema | null | undefined;
  /** The types are not known: one can be typed. */
  readonly isSchemaMissing: boolean;
}

/** Finds nodes by type and by how their ids begin. */
export const FindForm = ({ search, schema, isSchemaMissing }: FindFormProps) => {
  const navigate = useNavigate();
  const id = useId();
  const [type, setType] = useState(search.type ?? "");
  const [prefix, setPrefix] = useState(search.prefix ?? "");
  const known = Object.entries(schema?.graph.nodes ?? {});
  const open = (next: NodesSearch): void => void navigate({ to: "/graph", search: next });
  const find = (event: FormEvent): void => {
    event.preventDefault();
    open({ ...(type !== "" && { type }), ...(type !== "" && prefix !== "" && { prefix }) });
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
          <select
            id={`${id}-type`}
            value={type}
            onChange={(event) => {
              setType(event.target.value);
              open({
                ...(event.target.value !== "" && { type: event.target.value }),
                ...(event.target.value !== "" && prefix !== "" && { prefix }),
              });
            }}
          >
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
