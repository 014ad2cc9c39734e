import { useCurrentProject } from "../../app/current-project.ts";
import { screens } from "../../app/navigation.ts";
import { Screen } from "../../components/screen.tsx";
import { NeedsAttention } from "./attention.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Health } from "./health.tsx";
import "./home.css";
import { LastChanges, LastDenials } from "./lists.tsx";

/** The state of the project and of the suite, with the latest denials and changes. */
export const Home = () => {
  const project = useCurrentProject();
  return (
    <Screen title={screens.home.title} question={screens.home.question}>
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
