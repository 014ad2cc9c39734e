import {
  type BodyOf,
  type Fields,
  type Gid,
  PreviewOptions,
  type Reach,
  reachOf,
  roleMissing,
  rolesThat,
  type Validation,
} from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import { type RequestInput, type Route, route } from "@ikg/service";
import { z } from "zod";
import type { Collection } from "../records/collection.ts";
import { callNote } from "../history/call-note.ts";
import { changeableOf } from "../history/kinds.ts";
import { previewStatements } from "../previews/preview.ts";
import { previewSourceOf, type PreviewSettings } from "../previews/preview-source.ts";
import { validateRecord } from "../records/create.ts";
import { readRecord } from "../records/read.ts";
import type { CallerContext, Store } from "../records/store.ts";
import { callerContextOf } from "./caller.ts";

/** What previews work with. */
export interface PreviewParts {
  readonly store: Store;
  readonly graph: Graph;
  readonly previews: PreviewSettings;
}

const policyTextOf = async (store: Store, body: BodyOf<Fields>, caller: CallerContext): Promise<string> => {
  const id = body["policy_id"];
  if (typeof id !== "string") return "";
  return (await readRecord(store, "authorization_policy", id, caller)).text ?? "";
};

const statementsOf = async (
  { store, graph, previews }: PreviewParts,
  collection: Collection,
  body: BodyOf<Fields> & PreviewOptions,
  caller: CallerContext,
): Promise<Validation["statements"]> => {
  const name = changeableOf(collection.kind);
  if (name === undefined) return undefined;
  const text = body[name === "authorization-policies" ? "policy" : "query"];
  const policyText = await policyTextOf(store, body, caller);
  const source = previewSourceOf(name, String(text), policyText, previews);
  if (source === undefined) return [];
  const project = await readRecord(store, "project", String(body["project_id"]), caller);
  return [...(await previewStatements(graph, store, project, source, body, caller))];
};

/**
 * Where a caller may validate with these options. A sample runs a text of the caller on the graph, so that its counts answer any
 * question about the data, as a simulation does.
 *
 * @throws Problem `role_missing`, `role_read_only` (403).
 */
const reachToValidate = (
  { caller, reach }: Pick<RequestInput<undefined, "administrator">, "caller" | "reach">,
  { preview, sample }: PreviewOptions,
): Reach => {
  if (preview !== true || sample === undefined) return reach;
  const simulating = reachOf(caller, rolesThat.simulate);
  if (simulating.length === 0) throw roleMissing(caller);
  return simulating;
};

/**
 * POST of a create body that is validated and not stored: what creating it would refuse, or warn of. With `preview` also the
 * statements that the services would send, with their plans.
 */
export const validate = (collection: Collection, parts: PreviewParts): Route =>
  route({
    operation: `validate_${collection.singular}`,
    method: "post",
    path: `/configs/v1${collection.path}/validate`,
    caller: "administrator",
    request: z.intersection(collection.create, PreviewOptions),
    faults: "unprocessable",
    handle: async (input) => {
      const caller = callerContextOf({ ...input, reach: reachToValidate(input, input.body) });
      const warnings = await validateRecord(parts.store, collection, input.body, caller);
      if (input.body.preview !== true) return { warnings };
      const statements = await statementsOf(parts, collection, input.body, caller);
      const name = input.body["name"];
      input.note(() =>
        callNote(input.body["project_id"] as Gid, {
          call: "preview",
          kind: collection.kind,
          ...(typeof name === "string" ? { name } : {}),
        }),
      );
      return { warnings, statements };
    },
  });
