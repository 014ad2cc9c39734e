import { createRootRoute, retainSearchParams } from "@tanstack/react-router";
import { addressText } from "../text/address-text.ts";
import { NotFound } from "./not-found.tsx";
import { ScreenError } from "./screen-error.tsx";
import { Shell } from "./shell.tsx";

/** What every address of the console may carry. */
export interface RootSearch {
  /** Gid or name of the project that the screens are about. */
  readonly project?: string;
}

/** The other members belong to the screen, which validates them. */
const rootSearch = (search: Record<string, unknown>): RootSearch => {
  const project = addressText(search["project"]);
  return project === undefined ? {} : { project };
};

export const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: ScreenError,
  validateSearch: rootSearch,
  search: { middlewares: [retainSearchParams(["project"])] },
});
