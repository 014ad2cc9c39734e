import { encodings, type FileMapping } from "@ikg/imports/browser";
import { countText } from "../../../text/count-text.ts";
import { displayText } from "../../../text/display-text.ts";
import { Icon } from "../../../components/icon.tsx";
import { OptionalFields } from "../../../fields/optional-fields.tsx";
import { PlainText } from "../../../components/plain-text.tsx";
import type { ChosenFile, ImportWork } from "../work/import-work.ts";
import { sectionOf, withSection } from "../work/sections.ts";
import { withoutFile } from "./choose-files.ts";

interface FileListProps {
  readonly work: ImportWork;
  readonly onChange: (change: (work: ImportWork) => ImportWork) => void;
}

const units = ["B", "kB", "MB", "GB"] as const;

const sizeText = (bytes: number): string => {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1_000 ** power;
  // Three digits. Not by toPrecision(3), which writes 999.9 as 1.00e+3.
  const decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return `${value.toFixed(power === 0 ? 0 : decimals)} ${units[power]}`;
};

const summaryOf = ({ profileState, size }: ChosenFile): string => {
  if (profileState.status !== "read") return sizeText(size);
  const { rows, isWhole, columns } = profileState.profile;
  const count = `${isWhole ? "" : "more than "}${countText(rows, "row")}`;
  return `${sizeText(size)}, ${count}, ${countText(columns.length, "column")}`;
};

/** The files that are chosen, and how they are read. */
export const FileList = ({ work, onChange }: FileListProps) => (
  <ul className="import-files">
    {work.files.map((file) => (
      <li key={file.name} className="card stack tight">
        <div className="row spread">
          <span>
            <strong>
              <PlainText text={file.name} limit={80} />
            </strong>{" "}
            <span className="hint">{summaryOf(file)}</span>
          </span>
          <button
            type="button"
            className="button quiet small"
            aria-label={`Remove ${displayText(file.name, 80)}`}
            onClick={() => onChange((now) => withoutFile(now, file.name))}
          >
            <Icon name="cross" />
            Remove
          </button>
        </div>
        {file.profileState.status === "failed" && (
          <p className="wrong" role="alert">
            <PlainText text={file.profileState.message} limit={400} />
          </p>
        )}
        <ReadingFields
          file={file}
          section={sectionOf(work.sections, file.name) ?? {}}
          onChange={(section) =>
            onChange((now) => ({ ...now, sections: withSection(now.sections, file.name, section) }))
          }
        />
      </li>
    ))}
  </ul>
);

const delimiters = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar" } as const;

interface ReadingFieldsProps {
  readonly file: ChosenFile;
  readonly section: FileMapping;
  readonly onChange: (section: FileMapping) => void;
}

const isEncoding = (value: string): value is (typeof encodings)[number] =>
  encodings.some((each) => each === value);

/** How the text of a file is read; what is not said is found out. */
const ReadingFields = ({ file: { name, table, profileState }, section, onChange }: ReadingFieldsProps) => {
  const { delimiter, encoding, ...rest } = section;
  const shown = displayText(name, 60);
  const shownDelimiter = delimiter ?? ",";
  return (
    <OptionalFields summary="Read options" isUsed={profileState.status === "failed"}>
      <div className="import-pair">
        <label className="field">
          <span className="label">Encoding of {shown}</span>
          <select
            value={encoding ?? "utf-8"}
            onChange={({ target }) =>
              onChange({
                ...rest,
                ...(delimiter !== undefined && { delimiter }),
                ...(isEncoding(target.value) && target.value !== "utf-8" && { encoding: target.value }),
              })
            }
          >
            {encodings.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        {table.format === "csv" && (
          <label className="field">
            <span className="label">Delimiter of {shown}</span>
            <select
              value={shownDelimiter}
              onChange={({ target }) =>
                onChange({
                  ...rest,
                  ...(encoding !== undefined && { encoding }),
                  delimiter: target.value,
                })
              }
            >
              {!Object.hasOwn(delimiters, shownDelimiter) && (
                <option value={shownDelimiter}>{displayText(shownDelimiter, 4)}</option>
              )}
              {Object.entries(delimiters).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
    </OptionalFields>
  );
};
