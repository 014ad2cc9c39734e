import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { newQuerySearch, querySearch } from "./query-search.ts";

const queriesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/queries",
  component: lazyRouteComponent(() => import("./list/queries.tsx"), "Queries"),
});

const queryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/queries/$query",
  validateSearch: querySearch,
  component: lazyRouteComponent(() => import("./editor/query-screen.tsx"), "QueryScreen"),
});

/** Not `/queries/new`, which could be the name of one. */
const newQueryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/queries/-/new",
  validateSearch: newQuerySearch,
  component: lazyRouteComponent(() => import("./editor/new-query-screen.tsx"), "NewQueryScreen"),
});

export const queryRoutes = [queriesRoute, queryRoute, newQueryRoute] as const;
