import { SearchResourceRequest } from "@ikg/contracts";
import type { Route } from "@ikg/service";
import type { Search } from "../decisions/search.ts";
import type { ResolveRequest } from "./question-context.ts";
import { questionRoute } from "./question-route.ts";

/** POST /access/v1/search/resource: on which resources may this subject do this action? AuthZEN 1.0, section 8.5. */
export const searchResource = (search: Search, resolveRequest: ResolveRequest): Route =>
  questionRoute(
    "search_resource",
    "/search/resource",
    SearchResourceRequest,
    resolveRequest,
    ({ snapshot, token, options }, { page, subject, resource, action, context }) =>
      search(snapshot, { subject, resource, action, context, token }, page, options),
  );
