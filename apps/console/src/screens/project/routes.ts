import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

const component = lazyRouteComponent(() => import("./project-screen.tsx"), "ProjectScreen");

const projectRoute = createRoute({ getParentRoute: () => rootRoute, path: "/project", component });

const tabRoute = createRoute({ getParentRoute: () => rootRoute, path: "/project/$tab", component });

const recordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/project/$tab/$record",
  component,
});

/** The project: a tab for each kind of what is configured, and a page for each record. */
export const projectRoutes = [projectRoute, tabRoute, recordRoute] as const;
