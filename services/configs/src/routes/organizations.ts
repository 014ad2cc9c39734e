import { Problem } from "@ikg/contracts";
import { reply, type Reply, type RequestInput, type Route, route } from "@ikg/service";
import { etagOf, presentOrganization } from "../collections/present.ts";
import { readRecord } from "../records/read.ts";
import type { Store } from "../records/store.ts";
import { callerContextOf } from "./caller.ts";

type Input = RequestInput<undefined, "administrator">;

const answer = async (store: Store, input: Input): Promise<Reply> => {
  const caller = callerContextOf(input);
  const record = await readRecord(store, "organization", caller.organizationId, caller);
  return reply(200, presentOrganization(record), { ETag: etagOf(record) });
};

/** GET /configs/v1/organizations/current: the caller's own. */
export const currentOrganization = (store: Store): Route =>
  route({
    operation: "current_organization",
    method: "get",
    path: "/configs/v1/organizations/current",
    caller: "administrator",
    handle: (input) => answer(store, input),
  });

/** GET /configs/v1/organizations/{id}: the same for the own id; no other exists for this caller. */
export const organization = (store: Store): Route =>
  route({
    operation: "read_organization",
    method: "get",
    path: "/configs/v1/organizations/:id",
    caller: "administrator",
    handle: (input) => {
      if (input.params["id"] !== input.caller.org) throw new Problem("not_found");
      return answer(store, input);
    },
  });
