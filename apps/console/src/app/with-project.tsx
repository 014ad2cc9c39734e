import type { ReactNode } from "react";
import { Empty } from "../components/empty.tsx";
import { Loaded } from "../queries/loaded.tsx";
import { useCurrentProject, useProjects } from "./current-project.ts";

/** Shows a screen once it is known which project it is about. */
export const WithProject = ({ children }: { readonly children: ReactNode }) => (
  <Loaded query={useProjects()} what="the projects">
    {(projects) => <OfProject count={projects.length}>{children}</OfProject>}
  </Loaded>
);

const OfProject = ({ count, children }: { readonly count: number; readonly children: ReactNode }) => {
  const project = useCurrentProject();
  if (count === 0)
    return (
      <Empty title="No project yet">
        <p>
          A project holds one graph, its policies and who may call it. Create one with{" "}
          <code>ikg create projects --set name=my-project</code>, or ask for a role in one.
        </p>
      </Empty>
    );
  if (project === undefined)
    return (
      <Empty title="This project does not exist">
        <p>The address names a project that you cannot see. Choose one at the top.</p>
      </Empty>
    );
  return <div key={project.id}>{children}</div>;
};
