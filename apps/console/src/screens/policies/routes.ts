import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

const policiesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/policies",
  component: lazyRouteComponent(() => import("./list/policies.tsx"), "Policies"),
});

const policyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/policies/$policy",
  component: lazyRouteComponent(() => import("./editor/policy-screen.tsx"), "PolicyScreen"),
});

/** Not `/policies/new`, which could be the name of one. */
const newPolicyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/policies/-/new",
  component: lazyRouteComponent(() => import("./editor/new-policy-screen.tsx"), "NewPolicyScreen"),
});

export const policyRoutes = [policiesRoute, policyRoute, newPolicyRoute] as const;
