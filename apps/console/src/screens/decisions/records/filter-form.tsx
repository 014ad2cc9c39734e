import { type FormEvent, useId } from "react";
import { Icon } from "../../../components/icon.tsx";
import { type DecisionsSearch, defaultKind, kinds, results } from "../decisions-search.ts";
import { PeriodFields } from "./period-fields.tsx";
import { SelectField } from "./select-field.tsx";
import { type Filter, useFilter } from "./use-filter.ts";

const kindTexts: Readonly<Record<string, string>> = {
  decisions: "Decisions",
  queries: "Executed queries",
  graph: "Graph",
  configuration: "Configuration",
  credentials: "Credentials and tokens",
  other: "Everything else",
  all: "All records",
};

const resultTexts: Readonly<Record<string, string>> = {
  "": "Any",
  allowed: "Allowed",
  denied: "Denied",
  failed: "Failed",
};

const textFields = [
  ["subject", "Subject", "Person ann"],
  ["action", "Action", "READ"],
  ["resource", "Resource", "Document d1"],
  ["policy", "Policy", "its name"],
  ["actor", "Actor", "who called"],
] as const;

/** Which records are listed. Choices count at once, texts with Enter. */
export const FilterForm = ({ search }: { readonly search: DecisionsSearch }) => {
  const filter = useFilter(search);
  const { fields, apply } = filter;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    apply(fields);
  };
  return (
    <form className="filter-form" role="search" aria-label="Filter records" onSubmit={submit}>
      <PeriodFields search={search} filter={filter} />
      <SelectField
        label="Records"
        value={search.kind ?? defaultKind}
        options={kinds}
        texts={kindTexts}
        onChange={(kind) => apply({ ...fields, kind })}
      />
      <SelectField
        label="Decision"
        value={search.decision ?? ""}
        options={["", ...results]}
        texts={resultTexts}
        onChange={(decision) => apply({ ...fields, decision })}
      />
      <FilterTexts filter={filter} />
      <div className="row filter-buttons">
        <button type="submit" className="button primary">
          <Icon name="query" />
          Filter
        </button>
        {Object.keys(search).length > 0 && (
          <button type="button" className="button quiet" onClick={() => apply({})}>
            Clear
          </button>
        )}
      </div>
    </form>
  );
};

const FilterTexts = ({ filter: { fields, change } }: { readonly filter: Filter }) => {
  const id = useId();
  return textFields.map(([name, label, placeholder]) => (
    <div className="field" key={name}>
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <input
        id={`${id}-${name}`}
        value={fields[name] ?? ""}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        onChange={(event) => change({ ...fields, [name]: event.target.value })}
      />
    </div>
  ));
};
