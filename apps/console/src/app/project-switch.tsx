import { useNavigate } from "@tanstack/react-router";
import { displayText } from "../text/display-text.ts";
import { useCurrentProject, useProjects } from "./current-project.ts";

/** Chooses the project that the screens are about; the address keeps it. */
export const ProjectSwitch = () => {
  const { data: projects = [] } = useProjects();
  const current = useCurrentProject();
  const navigate = useNavigate();
  if (projects.length === 0) return null;
  return (
    <label className="project-switch">
      <span className="visually-hidden">Project</span>
      <select
        value={current?.id ?? ""}
        // The field is narrower than many names.
        title={current && displayText(current.name, 254)}
        onChange={(event) =>
          void navigate({ to: ".", search: (search) => ({ ...search, project: event.target.value }) })
        }
      >
        {current === undefined && <option value="">Choose a project</option>}
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {displayText(name, 60)}
          </option>
        ))}
      </select>
    </label>
  );
};
