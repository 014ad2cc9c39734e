import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { decisionsSearch, recordSearch } from "./decisions-search.ts";

const recordsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/decisions",
  validateSearch: decisionsSearch,
  component: lazyRouteComponent(() => import("./records/records-screen.tsx"), "RecordsScreen"),
});

const recordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/decisions/record",
  validateSearch: recordSearch,
  component: lazyRouteComponent(() => import("./record/record-screen.tsx"), "RecordScreen"),
});

const verifyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/decisions/verify",
  component: lazyRouteComponent(() => import("./verify/verify-screen.tsx"), "VerifyScreen"),
});

/** Audit records: all of a time, one of them, and the proof that none was changed. */
export const decisionRoutes = [recordsRoute, recordRoute, verifyRoute] as const;
