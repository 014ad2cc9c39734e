import { SearchActionRequest } from "@ikg/contracts";
import type { Route } from "@ikg/service";
import type { SearchAction } from "../decisions/search-action.ts";
import type { Arrivals } from "./arrival.ts";
import { question } from "./question.ts";

/** POST /access/v1/search/action: what may this subject do on this resource? AuthZEN 1.0, section 8.6. */
export const searchAction = (search: SearchAction, arrive: Arrivals): Route =>
  question(
    "search_action",
    "/search/action",
    SearchActionRequest,
    arrive,
    ({ view, token, options, explain }, { page, subject, resource, context }) =>
      search(view, { subject, resource, context, token }, page, { ...options, explain }),
  );
