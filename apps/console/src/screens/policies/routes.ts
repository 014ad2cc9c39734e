import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const policiesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/policies",
  component: lazyRouteComponent(() => import("./list/policies.tsx"), "Policies"),
});

export const policyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/policies/$policy",
  component: lazyRouteComponent(() => import("./editor/policy-screen.tsx"), "PolicyScreen"),
});

/** Not below `/policies`, where it could be the name of one. */
export const newPolicyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/new-policy",
  component: lazyRouteComponent(() => import("./editor/new-policy-screen.tsx"), "NewPolicyScreen"),
});
