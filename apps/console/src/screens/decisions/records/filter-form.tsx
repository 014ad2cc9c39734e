import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import { Icon } from "../../../parts/icon.tsx";
import { SelectField } from "./select-field.tsx";
import {
  type DecisionsSearch,
  decisionsSearch,
  defaultKind,
  defaultPeriod,
  kinds,
  periods,
  results,
} from "../decisions-search.ts";
import { instantOfLocal, localText } from "./local-time.ts";

const periodTexts: Readonly<Record<string, string>> = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  all: "All times",
  between: "Between two times",
};

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

type Fields = Readonly<Record<string, string | undefined>>;

const isBetween = ({ from, to }: DecisionsSearch): boolean => from !== undefined || to !== undefined;

const hourMs = 3_600_000;

/** Which records are listed. Choices count at once, texts with Enter. */
export const FilterForm = ({ search }: { readonly search: DecisionsSearch }) => {
  const navigate = useNavigate();
  const id = useId();
  const [fields, setFields] = useState<Fields>({ ...search });
  const [shown, setShown] = useState(search);
  // The address was changed by a link or by going back.
  if (shown !== search) {
    setShown(search);
    setFields({ ...search });
  }
  const open = (next: Fields): void => {
    setFields(next);
    void navigate({ to: "/decisions", search: decisionsSearch({ ...next }) });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    open(fields);
  };
  const choosePeriod = (value: string): void => {
    if (value !== "between") return open({ ...fields, from: undefined, to: undefined, period: value });
    const from = new Date(Math.floor((Date.now() - hourMs) / hourMs) * hourMs).toISOString();
    open({ ...fields, period: undefined, from });
  };
  return (
    <form className="filter-form" role="search" aria-label="Filter records" onSubmit={submit}>
      <SelectField
        label="Time"
        value={isBetween(search) ? "between" : (search.period ?? defaultPeriod)}
        options={[...periods, "between"]}
        texts={periodTexts}
        onChange={choosePeriod}
      />
      {isBetween(search) &&
        (["from", "to"] as const).map((name) => (
          <div className="field" key={name}>
            <label htmlFor={`${id}-${name}`}>{name === "from" ? "From" : "Until"}</label>
            <input
              id={`${id}-${name}`}
              type="datetime-local"
              value={localText(fields[name])}
              onChange={(event) => setFields({ ...fields, [name]: instantOfLocal(event.target.value) })}
            />
          </div>
        ))}
      <SelectField
        label="Records"
        value={search.kind ?? defaultKind}
        options={kinds}
        texts={kindTexts}
        onChange={(kind) => open({ ...fields, kind })}
      />
      <SelectField
        label="Decision"
        value={search.decision ?? ""}
        options={["", ...results]}
        texts={resultTexts}
        onChange={(decision) => open({ ...fields, decision })}
      />
      {textFields.map(([name, label, placeholder]) => (
        <div className="field" key={name}>
          <label htmlFor={`${id}-${name}`}>{label}</label>
          <input
            id={`${id}-${name}`}
            value={fields[name] ?? ""}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            dir="auto"
            onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
          />
        </div>
      ))}
      <div className="row filter-buttons">
        <button type="submit" className="button primary">
          <Icon name="query" />
          Filter
        </button>
        {Object.keys(search).length > 0 && (
          <button type="button" className="button quiet" onClick={() => open({})}>
            Clear
          </button>
        )}
      </div>
    </form>
  );
};
