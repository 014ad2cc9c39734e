import { SearchActionRequest } from "@ikg/contracts";
import type { Route } from "@ikg/service";
import type { SearchAction } from "../decisions/search-action.ts";
import type { ResolveRequest } from "./question-context.ts";
import { questionRoute } from "./question-route.ts";

/** POST /access/v1/search/action: what may this subject do on this resource? AuthZEN 1.0, section 8.6. */
export const searchAction = (search: SearchAction, resolveRequest: ResolveRequest): Route =>
  questionRoute(
    "search_action",
    "/search/action",
    SearchActionRequest,
    resolveRequest,
    ({ snapshot, token, options, explain }, { page, subject, resource, context }) =>
      search(snapshot, { subject, resource, context, token }, page, { ...options, explain }),
  );
