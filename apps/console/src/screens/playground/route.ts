import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { playgroundSearch } from "./question/playground-search.ts";

export const playgroundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/playground",
  validateSearch: playgroundSearch,
  component: lazyRouteComponent(() => import("./playground.tsx"), "Playground"),
});
