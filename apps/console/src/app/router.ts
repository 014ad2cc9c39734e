import { createHashHistory, createRouter } from "@tanstack/react-router";
import { routeTree } from "./routes.ts";
import { ScreenError } from "./screen-error.tsx";

/**
 * Addresses are fragments: what a permalink says, ids of persons for example, reaches no server and no log, and the files work below
 * any path of a proxy.
 */
export const router = createRouter({
  routeTree,
  history: createHashHistory(),
  defaultErrorComponent: ScreenError,
  defaultPreload: "intent",
  defaultPendingMs: 200,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
