import type { Gid } from "@ikg/contracts";
import type { Answer, Tenant } from "../tenant.ts";
import { ciqText, kbacText, queryText } from "../policy-texts.ts";

type Json = Readonly<Record<string, unknown>>;

const parsed = (text: string): Json => JSON.parse(text) as Json;

/** A put of a policy that decides. */
export const putPolicy = (name: string, more: Json = {}, record: Json = {}) => ({
  op: "put",
  collection: "authorization-policies",
  name,
  ...more,
  record: { policy: parsed(kbacText()), status: "ACTIVE", ...record },
});

/** A put of a policy for queries. */
export const putCiq = (name: string, more: Json = {}, record: Json = {}) =>
  putPolicy(name, more, { policy: parsed(ciqText()), ...record });

/** A put of a query of a policy, which is named. */
export const putQuery = (name: string, policy: string, more: Json = {}, record: Json = {}) => ({
  op: "put",
  collection: "knowledge-queries",
  name,
  ...more,
  record: { policy, query: parsed(queryText()), status: "ACTIVE", ...record },
});

/** Puts of a policy that decides, one for queries, and a query of it. */
export const threePuts = [
  putPolicy("kept", {}, { description: "as it was", tags: ["a"] }),
  putCiq("lending"),
  putQuery("loans", "lending", {}, { display_name: "Loans" }),
];

export const remove = (
  collection: "authorization-policies" | "knowledge-queries",
  name: string,
  more: Json = {},
) => ({
  op: "delete",
  collection,
  name,
  ...more,
});

/** What a change set answered: looked into by the tests. */
export interface Applied {
  readonly id: Gid;
  readonly changes: readonly {
    readonly collection: string;
    readonly id: Gid;
    readonly name: string;
    readonly op: string;
    readonly from_version: number;
    readonly to_version: number;
  }[];
  readonly unchanged: Applied["changes"];
  readonly warnings: readonly Json[];
  readonly [name: string]: unknown;
}

/** Calls about the changes of one project. */
export const changesOf = (tenant: Tenant, project_id: string) => {
  const must = async (status: number, answer: Promise<Answer>): Promise<Applied> => {
    const { status: got, body, text } = await answer;
    if (got !== status) throw new Error(`${got} ${text}`);
    return body as unknown as Applied;
  };
  const send = (changes: readonly object[], more: Json = {}, query = ""): Promise<Answer> =>
    tenant.send("POST", `/changes${query}`, { project_id, changes, ...more });
  const texts = async (): Promise<Json> => {
    const all: Record<string, unknown> = {};
    for (const path of ["authorization-policies", "knowledge-queries"]) {
      const answer = await tenant.send("GET", `/${path}?project_id=${project_id}&full_fetch=true`);
      for (const record of answer.body["data"] as Record<string, unknown>[]) {
        const {
          id: _id,
          create_time: _c,
          update_time: _u,
          created_by: _b,
          updated_by: _w,
          policy_id,
          ...rest
        } = record;
        const policy =
          typeof policy_id === "string"
            ? await tenant.send("GET", `/authorization-policies/${policy_id}`)
            : undefined;
        all[`${path}/${String(record["name"])}`] = {
          ...rest,
          ...(policy === undefined ? {} : { of: policy.body["name"] }),
        };
      }
    }
    return all;
  };
  return {
    send,
    apply: (changes: readonly object[], more: Json = {}) => must(200, send(changes, more)),
    revert: (id: string, body: Json = {}) => must(200, tenant.send("POST", `/changes/${id}/revert`, body)),
    /** Every policy and query of the project, without ids and times; queries with the name of their policy. */
    texts,
  };
};
