import { useId } from "react";
import { type DecisionsSearch, defaultPeriod, periods } from "../decisions-search.ts";
import { instantOfLocal, localText } from "./local-time.ts";
import { SelectField } from "./select-field.tsx";
import type { Filter } from "./use-filter.ts";

interface PeriodFieldsProps {
  readonly search: DecisionsSearch;
  readonly filter: Filter;
}

const periodTexts: Readonly<Record<string, string>> = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  all: "All times",
  between: "Between two times",
};

const hourMs = 3_600_000;

/** How far back records are listed, or between which two times. */
export const PeriodFields = ({ search, filter: { fields, change, apply } }: PeriodFieldsProps) => {
  const id = useId();
  const isBetween = search.from !== undefined || search.to !== undefined;
  const choosePeriod = (value: string): void => {
    if (value !== "between") return apply({ ...fields, from: undefined, to: undefined, period: value });
    const from = new Date(Math.floor((Date.now() - hourMs) / hourMs) * hourMs).toISOString();
    apply({ ...fields, period: undefined, from });
  };
  return (
    <>
      <SelectField
        label="Time"
        value={isBetween ? "between" : (search.period ?? defaultPeriod)}
        options={[...periods, "between"]}
        texts={periodTexts}
        onChange={choosePeriod}
      />
      {isBetween &&
        (["from", "to"] as const).map((name) => (
          <div className="field" key={name}>
            <label htmlFor={`${id}-${name}`}>{name === "from" ? "From" : "Until"}</label>
            <input
              id={`${id}-${name}`}
              type="datetime-local"
              value={localText(fields[name])}
              onChange={(event) => change({ ...fields, [name]: instantOfLocal(event.target.value) })}
            />
          </div>
        ))}
    </>
  );
};
