import { useEffect, useState, useSyncExternalStore } from "react";
import { useCurrentProject } from "../../app/current-project.ts";
import { screens } from "../../app/navigation.ts";
import { Empty } from "../../components/empty.tsx";
import { Note } from "../../components/note.tsx";
import { PlainText } from "../../components/plain-text.tsx";
import { Screen } from "../../components/screen.tsx";
import { useMay } from "../../session/use-admin.ts";
import { withFiles } from "./files/choose-files.ts";
import { DataDrop } from "./files/data-drop.tsx";
import { FileList } from "./files/file-list.tsx";
import { profileFiles } from "./files/profile-files.ts";
import "./import.css";
import { RecentJobs } from "./jobs/recent-jobs.tsx";
import { MappingEditor } from "./mapping/mapping-editor.tsx";
import { Preview } from "./preview/preview.tsx";
import { usePreview } from "./preview/use-preview.ts";
import { importTasks } from "./run/import-tasks.ts";
import { RunPanel } from "./run/run-panel.tsx";
import { type ImportWork, importWorks, noWork } from "./work/import-work.ts";

/** Loads files into the graph. */
export const ImportScreen = () => {
  const project = useCurrentProject();
  const may = useMay();
  if (project === undefined) return null;
  return (
    <Screen title={screens.import.title} question={screens.import.question}>
      {may("create_application_agent_credential", project.id) ? (
        <OfProject projectId={project.id} />
      ) : (
        <Empty title="You cannot import">
          <p>
            Importing needs an application key, which the roles <code>owner</code> and <code>editor</code> can
            create. With such a key you can also use <code>ikg import</code>.
          </p>
        </Empty>
      )}
    </Screen>
  );
};

/** What is prepared in a project, and a function that changes it, which receives the current state. */
const useWork = (
  projectId: string,
): readonly [ImportWork, (change: (work: ImportWork) => ImportWork) => void] => {
  const work = useSyncExternalStore(importWorks.subscribe, () => importWorks.get(projectId)) ?? noWork;
  return [work, (change) => importWorks.set(projectId, change(importWorks.get(projectId) ?? noWork))];
};

const OfProject = ({ projectId }: { readonly projectId: string }) => {
  const [work, change] = useWork(projectId);
  const hasTask = useSyncExternalStore(importTasks.subscribe, () => importTasks.get(projectId) !== undefined);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const preview = usePreview(work);
  const { files, sections } = work;
  useEffect(() => profileFiles(projectId), [projectId, files, sections]);
  const add = (chosen: readonly File[]): void => {
    if (chosen.length === 0) return;
    const added = withFiles(work, chosen);
    setRefused(added.refused);
    change(() => added.work);
  };
  return (
    <>
      <section className="stack" aria-label="Files">
        {files.length > 0 && <h2>Files</h2>}
        <FileList work={work} onChange={change} />
        <DataDrop isFirst={files.length === 0} onFiles={add} />
        {refused.length > 0 && (
          <Note tone="warn">
            {refused.map((message) => (
              <p key={message}>
                <PlainText text={message} limit={300} />
              </p>
            ))}
          </Note>
        )}
      </section>
      {files.length > 0 && <MappingEditor projectId={projectId} work={work} onChange={change} />}
      <Preview preview={preview} />
      {(files.length > 0 || hasTask) && (
        <RunPanel
          projectId={projectId}
          work={work}
          isReady={preview.isReady && preview.error === null && work.text === undefined}
        />
      )}
      <RecentJobs projectId={projectId} asksForKey={files.length === 0 && !hasTask} />
    </>
  );
};
