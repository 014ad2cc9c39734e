import { useState } from "react";
import { JsonField } from "../../../parts/json-field.tsx";
import { PlainText } from "../../../parts/plain-text.tsx";
import type { ImportWork } from "../work/import-work.ts";
import { mappingTextOf } from "../work/sections.ts";
import { readSections, type TextFault } from "./read-mapping-text.ts";

interface MappingTextProps {
  readonly work: ImportWork;
  readonly onChange: (change: (work: ImportWork) => ImportWork) => void;
}

const rows = 24;

/** The mapping as its file: everything that a mapping can say. */
export const MappingText = ({ work, onChange }: MappingTextProps) => {
  const [typed, setTyped] = useState(() => work.text ?? mappingTextOf(work.sections) ?? "files:\n");
  const [faults, setFaults] = useState<readonly TextFault[]>(() => {
    const read = work.text === undefined ? undefined : readSections(work.text);
    return read !== undefined && "faults" in read ? read.faults : [];
  });
  const change = (text: string): void => {
    setTyped(text);
    const read = readSections(text);
    setFaults("faults" in read ? read.faults : []);
    onChange((now) =>
      "faults" in read ? { ...now, text } : { ...now, sections: read.sections, text: undefined },
    );
  };
  return (
    <div className="stack tight">
      <JsonField
        label="Mapping file, YAML"
        value={typed}
        rows={rows}
        onChange={change}
        wrong={
          faults.length === 0 ? undefined : `${faults.length} ${faults.length === 1 ? "fault" : "faults"}`
        }
        hint="ikg import --map reads the same file. It also has conditions, labels, metadata and templates of properties."
      />
      {faults.length > 0 && (
        <ul>
          {faults.map(({ line, column, message }) => (
            <li key={`${line} ${column} ${message}`}>
              line {line}, column {column}: <PlainText text={message} limit={300} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
