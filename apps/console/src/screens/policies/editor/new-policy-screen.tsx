import { useCurrentProject } from "../../../app/current-project.ts";
import "../../../editors/record-editor/record-editor.css";
import "../policies.css";
import { PolicyPage } from "./policy-page.tsx";

/** A policy that is not saved yet. */
export const NewPolicyScreen = () => {
  const project = useCurrentProject();
  return project === undefined ? null : <PolicyPage projectId={project.id} read={undefined} />;
};
