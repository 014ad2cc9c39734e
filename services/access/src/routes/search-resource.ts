import { SearchResourceRequest } from "@ikg/contracts";
import { type Route, route } from "@ikg/service";
import type { SearchResource } from "../decisions/search-resource.ts";
import type { Arrivals } from "./arrival.ts";

/** POST /access/v1/search/resource: on which resources may this subject do this action? AuthZEN 1.0, section 8.5. */
export const searchResource = (search: SearchResource, arrive: Arrivals): Route =>
  route({
    operation: "search_resource",
    method: "post",
    path: "/access/v1/search/resource",
    caller: "agent",
    permission: "Authorization",
    request: SearchResourceRequest,
    handle: async (input) => {
      const { view, token, options } = await arrive(input);
      const { subject, resource, action, context, page } = input.body;
      return search(view, { subject, resource, action, context, token }, page, options);
    },
  });
