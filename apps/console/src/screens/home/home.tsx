import { useCurrentProject } from "../../app/current-project.ts";
import { Screen } from "../../parts/screen.tsx";
import { NeedsAttention } from "./attention.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Health } from "./health.tsx";
import "./home.css";
import { LastChanges, LastDenials } from "./lists.tsx";

/** Is it well, and what happened? */
export const Home = () => {
  const project = useCurrentProject();
  return (
    <Screen title="Home" question="Is it well, and what happened?">
      {project !== undefined && (
        <>
          <Health project={project} />
          <NeedsAttention projectId={project.id} />
          <FirstSteps projectId={project.id} />
          <div className="home-lists">
            <LastDenials projectId={project.id} />
            <LastChanges projectId={project.id} />
          </div>
        </>
      )}
    </Screen>
  );
};
