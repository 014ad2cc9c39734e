import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { nodeSearch, nodesSearch } from "./graph-search.ts";

const nodesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/graph",
  validateSearch: nodesSearch,
  component: lazyRouteComponent(() => import("./nodes/nodes-screen.tsx"), "NodesScreen"),
});

const nodeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/graph/node",
  validateSearch: nodeSearch,
  component: lazyRouteComponent(() => import("./node/node-screen.tsx"), "NodeScreen"),
});

const typesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/graph/types",
  component: lazyRouteComponent(() => import("./types/types-screen.tsx"), "TypesScreen"),
});

/** The graph: its nodes, one node, and its types. */
export const graphRoutes = [nodesRoute, nodeRoute, typesRoute] as const;
