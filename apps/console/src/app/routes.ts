import { decisionRoutes } from "../screens/decisions/routes.ts";
import { graphRoutes } from "../screens/graph/route.ts";
import { homeRoute } from "../screens/home/route.ts";
import { importRoute } from "../screens/import/route.ts";
import { playgroundRoute } from "../screens/playground/route.ts";
import { policyRoutes } from "../screens/policies/routes.ts";
import { queryRoutes } from "../screens/queries/routes.ts";
import { projectRoutes } from "../screens/project/routes.ts";
import { rootRoute } from "./root-route.tsx";

/** Every screen; `navigation.ts` says which are offered, and where. */
export const routeTree = rootRoute.addChildren([
  homeRoute,
  playgroundRoute,
  ...policyRoutes,
  ...queryRoutes,
  ...graphRoutes,
  ...decisionRoutes,
  importRoute,
  ...projectRoutes,
]);
