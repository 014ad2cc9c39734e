import { useMemo, useState } from "react";
import { JsonField } from "../../../fields/json-field.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import { countText } from "../../../text/count-text.ts";
import type { ImportWork } from "../work/import-work.ts";
import { mappingTextOf } from "../work/sections.ts";
import { type MappingDiagnostics, readSections } from "./read-mapping-text.ts";

interface MappingTextProps {
  readonly work: ImportWork;
  readonly onChange: (change: (work: ImportWork) => ImportWork) => void;
}

const rows = 24;

/** The typed text and its mapping; undefined while the text is not valid. */
interface TypedMapping {
  readonly text: string;
  readonly mapping: string | undefined;
}

const noFaults: MappingDiagnostics = [];

const faultsIn = (text: string | undefined): MappingDiagnostics => {
  const read = text === undefined ? undefined : readSections(text);
  return read !== undefined && "faults" in read ? read.faults : noFaults;
};

/** The mapping as its file: everything that a mapping can say. */
export const MappingText = ({ work, onChange }: MappingTextProps) => {
  const [typed, setTyped] = useState<TypedMapping>();
  const current = mappingTextOf(work.sections);
  // A file that is read, or added, changes the mapping as well: what was typed before is not what there is.
  const isTyped = typed !== undefined && (work.text === typed.text || current === typed.mapping);
  const shown = isTyped ? typed.text : (work.text ?? current ?? "files:\n");
  const faults = useMemo(() => faultsIn(work.text), [work.text]);
  const change = (text: string): void => {
    const read = readSections(text);
    setTyped({ text, mapping: "faults" in read ? undefined : mappingTextOf(read.sections) });
    onChange((now) =>
      "faults" in read ? { ...now, text } : { ...now, sections: read.sections, text: undefined },
    );
  };
  return (
    <div className="stack tight">
      <JsonField
        label="Mapping file, YAML"
        value={shown}
        rows={rows}
        onChange={change}
        error={faults.length === 0 ? undefined : countText(faults.length, "error")}
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
