import { createRoute, redirect } from "@tanstack/react-router";
import { graphRoutes } from "../screens/graph/route.ts";
import { playgroundRoute } from "../screens/playground/route.ts";
import { policyRoutes } from "../screens/policies/routes.ts";
import { rootRoute } from "./root-route.tsx";

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: () => {
    // The router's own way of leaving for another address.
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to: "/playground" });
  },
});

/** Every screen; `navigation.ts` says which are offered, and where. */
export const routeTree = rootRoute.addChildren([
  indexRoute,
  playgroundRoute,
  ...policyRoutes,
  ...graphRoutes,
]);
