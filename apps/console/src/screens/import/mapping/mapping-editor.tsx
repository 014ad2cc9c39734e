import { Tabs } from "radix-ui";
import { useState } from "react";
import { download } from "../../../snippets/download.ts";
import { displayText } from "../../../text/display-text.ts";
import { Icon } from "../../../components/icon.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Note } from "../../../components/note.tsx";
import type { ChosenFile, ImportWork } from "../work/import-work.ts";
import { holdsLines, mappingTextOf, sectionOf, withSection } from "../work/sections.ts";
import { LoadMapping } from "./load-mapping.tsx";
import { MappingText } from "./mapping-text.tsx";
import { SectionForm } from "./section-form.tsx";

interface MappingEditorProps {
  readonly projectId: string;
  readonly work: ImportWork;
  readonly onChange: (change: (work: ImportWork) => ImportWork) => void;
}

/** What rows become: as a form, or as the file that `ikg import --map` reads. */
export const MappingEditor = ({ projectId, work, onChange }: MappingEditorProps) => {
  const text = mappingTextOf(work.sections);
  return (
    <section className="stack" aria-label="Mapping">
      <div className="row spread">
        <h2>Mapping</h2>
        <div className="row">
          <LoadMapping work={work} onChange={onChange} />
          <button
            type="button"
            className="button small"
            disabled={text === undefined || work.text !== undefined}
            onClick={() => download("map.yaml", text ?? "", "application/yaml")}
          >
            <Icon name="download" />
            Save mapping
          </button>
        </div>
      </div>
      <Tabs.Root defaultValue="form" className="stack">
        <Tabs.List className="tabs-list" aria-label="How the mapping is edited">
          <Tabs.Trigger value="form">Form</Tabs.Trigger>
          <Tabs.Trigger value="file">Mapping file</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="form" tabIndex={-1}>
          {work.text === undefined ? (
            <FilesForm projectId={projectId} work={work} onChange={onChange} />
          ) : (
            <Note tone="warn">
              <p>The text is not a valid mapping file. Correct it, or discard it to return to the form.</p>
              <button
                type="button"
                className="button small"
                onClick={() => onChange((now) => ({ ...now, text: undefined }))}
              >
                Discard the text
              </button>
            </Note>
          )}
        </Tabs.Content>
        <Tabs.Content value="file" tabIndex={-1}>
          <MappingText work={work} onChange={onChange} />
        </Tabs.Content>
      </Tabs.Root>
    </section>
  );
};

const FilesForm = ({ projectId, work, onChange }: MappingEditorProps) => {
  const [chosen, setChosen] = useState<string>();
  const file = work.files.find(({ name }) => name === chosen) ?? work.files[0];
  if (file === undefined) return null;
  return (
    <div className="stack">
      {work.files.length > 1 && (
        <div className="field import-file-switch">
          <label htmlFor="import-mapped-file">Rows of</label>
          <select
            id="import-mapped-file"
            value={file.name}
            onChange={({ target }) => setChosen(target.value)}
          >
            {work.files.map(({ name }) => (
              <option key={name} value={name}>
                {displayText(name, 80)}
              </option>
            ))}
          </select>
        </div>
      )}
      <FileForm key={file.name} projectId={projectId} work={work} file={file} onChange={onChange} />
    </div>
  );
};

const FileForm = ({
  projectId,
  work,
  file,
  onChange,
}: MappingEditorProps & { readonly file: ChosenFile }) => {
  const { profileState, name } = file;
  if (profileState.status === "reading") return <Loading what="the first rows" />;
  if (profileState.status === "failed") return <p className="hint">The file could not be read: see above.</p>;
  if (holdsLines(file) && sectionOf(work.sections, name) === undefined)
    return (
      <Note tone="info">
        <p>
          This file already contains nodes and relationships in the format of an import, as an export does: it
          needs no mapping.
        </p>
      </Note>
    );
  return (
    <SectionForm
      projectId={projectId}
      section={sectionOf(work.sections, name) ?? {}}
      profile={profileState.profile}
      sample={profileState.sample}
      profiles={work.files.flatMap((each) =>
        each.profileState.status === "read" ? [each.profileState.profile] : [],
      )}
      onChange={(section) =>
        onChange((now) => ({ ...now, sections: withSection(now.sections, name, section) }))
      }
    />
  );
};
