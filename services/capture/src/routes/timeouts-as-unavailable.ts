import { withTimeoutAsUnavailable } from "@ikg/graph";
import type { Route } from "@ikg/service";

/** The same route, which is answered with 503 where a statement runs past its limit: a caller may send the request again. */
export const timeoutsAsUnavailable = (route: Route): Route => ({
  ...route,
  run: (input) => withTimeoutAsUnavailable(() => route.run(input)),
});
