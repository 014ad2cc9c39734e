import { SearchResourceRequest, SearchSubjectRequest } from "@ikg/contracts";
import type { Route } from "@ikg/service";
import type { Search } from "../decisions/search.ts";
import type { QuestionContext, ResolveRequest } from "./question-context.ts";
import { questionRoute } from "./question-route.ts";

const searchBy =
  (search: Search) =>
  (
    { snapshot, token, options }: QuestionContext,
    { page, subject, resource, action, context }: SearchSubjectRequest | SearchResourceRequest,
  ): ReturnType<Search> =>
    search(snapshot, { subject, resource, action, context, token }, page, options);

/** POST /access/v1/search/subject: which subjects may do this action on this resource? AuthZEN 1.0, section 8.4. */
export const searchSubject = (search: Search, resolveRequest: ResolveRequest): Route =>
  questionRoute("search_subject", "/search/subject", SearchSubjectRequest, resolveRequest, searchBy(search));

/** POST /access/v1/search/resource: on which resources may this subject do this action? AuthZEN 1.0, section 8.5. */
export const searchResource = (search: Search, resolveRequest: ResolveRequest): Route =>
  questionRoute(
    "search_resource",
    "/search/resource",
    SearchResourceRequest,
    resolveRequest,
    searchBy(search),
  );
