import { matchesPattern } from "@ikg/imports/browser";
import { type ChangeEvent, useId, useState } from "react";
import { displayText } from "../../../text/display-text.ts";
import { Icon } from "../../../components/icon.tsx";
import type { ImportWork } from "../work/import-work.ts";
import { readSections } from "./read-mapping-text.ts";

interface LoadMappingProps {
  readonly work: ImportWork;
  readonly onChange: (change: (work: ImportWork) => ImportWork) => void;
}

const largestBytes = 1024 * 1024;

/** A mapping whose only section names another file is for the only one that is chosen. */
const withMapping = (
  work: ImportWork,
  text: string,
): { readonly work: ImportWork; readonly message: string } => {
  const read = readSections(text);
  if ("faults" in read) {
    const [first] = read.faults;
    return {
      work,
      message: `Not a valid mapping file: line ${first?.line ?? 1}: ${first?.message ?? "unreadable"}`,
    };
  }
  const entries = Object.entries(read.sections);
  const [only] = entries;
  const [file] = work.files;
  const isFitting = work.files.some(({ name }) => entries.some(([pattern]) => matchesPattern(pattern, name)));
  if (
    !isFitting &&
    only !== undefined &&
    entries.length === 1 &&
    file !== undefined &&
    work.files.length === 1
  )
    return {
      work: { ...work, sections: { [file.name]: only[1] }, text: undefined },
      message: `The mapping of ${only[0]} is used for ${file.name}`,
    };
  const message =
    isFitting || file === undefined
      ? "Loaded"
      : `The mapping has no section for ${file.name}; its sections: ${entries.map(([name]) => name).join(", ")}`;
  return { work: { ...work, sections: read.sections, text: undefined }, message };
};

/** Reads a mapping file, which `ikg import --map` reads as well. */
export const LoadMapping = ({ work, onChange }: LoadMappingProps) => {
  const [message, setMessage] = useState("");
  const id = useId();
  const load = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = target.files ?? [];
    target.value = "";
    if (file === undefined) return;
    if (file.size > largestBytes) {
      setMessage("The file is too large; mapping files may have at most 1 MB.");
      return;
    }
    const loaded = withMapping(work, await file.text());
    setMessage(loaded.message);
    onChange((now) => ({ ...now, sections: loaded.work.sections, text: loaded.work.text }));
  };
  return (
    <>
      <span className="hint" role="status">
        {message !== "" && displayText(message, 200)}
      </span>
      <input
        id={id}
        type="file"
        accept=".yaml,.yml,.json"
        className="visually-hidden file-input"
        onChange={(event) => void load(event)}
      />
      <label htmlFor={id} className="button small">
        <Icon name="import" />
        Load mapping
      </label>
    </>
  );
};
