import { useId } from "react";

interface SelectFieldProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  /** What each option is called. */
  readonly texts: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}

export const SelectField = ({ label, value, options, texts, onChange }: SelectFieldProps) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((each) => (
          <option key={each} value={each}>
            {texts[each]}
          </option>
        ))}
      </select>
    </div>
  );
};
