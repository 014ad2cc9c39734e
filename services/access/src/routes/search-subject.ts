import { SearchSubjectRequest } from "@ikg/contracts";
import type { Route } from "@ikg/service";
import type { Search } from "../decisions/search.ts";
import type { ResolveRequest } from "./question-context.ts";
import { questionRoute } from "./question-route.ts";

/** POST /access/v1/search/subject: which subjects may do this action on this resource? AuthZEN 1.0, section 8.4. */
export const searchSubject = (search: Search, resolveRequest: ResolveRequest): Route =>
  questionRoute(
    "search_subject",
    "/search/subject",
    SearchSubjectRequest,
    resolveRequest,
    ({ snapshot, token, options }, { page, subject, resource, action, context }) =>
      search(snapshot, { subject, resource, action, context, token }, page, options),
  );
