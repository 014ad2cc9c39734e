import { randomBytes } from "node:crypto";
import { type Gid, newGid } from "@ikg/contracts";
import type { Graph } from "@ikg/graph";
import {
  newProjectKey,
  partOf,
  type ProjectKey,
  recordLabel,
  type RecordLabelKind,
  recordLabels,
} from "@ikg/physical";
import { type Json, options } from "./ciq-under-test.ts";

/** Records of one project as the configs service stores them, for processes that read the catalog. */
export interface StoredProject {
  readonly id: Gid;
  readonly organizationId: Gid;
  readonly pk: ProjectKey;
  /** An ACTIVE policy, or one of another status. */
  policy(policy: Json, status?: string): Promise<Gid>;
  query(name: string, policyId: Gid, query: Json, status?: string): Promise<Gid>;
  introspect(data: Json): Promise<Gid>;
  /** An external data resolver; its headers are sealed already. */
  resolver(name: string, data: Json, id?: Gid): Promise<Gid>;
  /** Writes another text into a record, as an update of it does. */
  change(id: Gid, text: Json): Promise<void>;
  remove(): Promise<void>;
}

type Kind = Extract<
  RecordLabelKind,
  "authorization_policy" | "knowledge_query" | "token_introspect" | "external_data_resolver"
>;

export const storeProject = async (graph: Graph, ikgStatus = "ACTIVE"): Promise<StoredProject> => {
  const [id, organizationId] = [newGid("project"), newGid("organization")];
  const pk = newProjectKey(randomBytes(8));
  const write = (text: string, params: Json): Promise<unknown> =>
    graph.shared.write((tx) => tx.run(text, params), options);
  const ofRecord = (kind: RecordLabelKind, of: Gid) => ({
    id: of,
    kind,
    organization_id: organizationId,
    project_id: id,
    version: 1,
    create_time: new Date().toISOString(),
  });
  const fields = { ...ofRecord("project", id), name: `ciq-${pk}`, pk, ikg_status: ikgStatus, data: "{}" };
  await write(`CREATE (r:${recordLabel}:${recordLabels.project}) SET r = $fields`, { fields });
  const add = async (kind: Kind, of: Json, made = newGid(kind)): Promise<Gid> => {
    await write(
      `MATCH (p:${recordLabel} {id: $id}) CREATE (r:${recordLabel}:${recordLabels[kind]})-[:${partOf}]->(p) SET r = $fields`,
      { id, fields: { name: `${kind}-${made.slice(-6)}`, ...ofRecord(kind, made), ...of } },
    );
    return made;
  };
  const policyText = (policy: Json): string =>
    JSON.stringify({ meta: { policy_version: "1.0-ciq" }, ...policy });
  return {
    id,
    organizationId,
    pk,
    policy: (policy, status = "ACTIVE") =>
      add("authorization_policy", {
        text: policyText(policy),
        status,
        policy_kind: "ciq",
        data: '{"tags":[]}',
      }),
    query: (name, policyId, query, status = "ACTIVE") =>
      add("knowledge_query", {
        name,
        text: JSON.stringify(query),
        status,
        data: JSON.stringify({ policy_id: policyId }),
      }),
    introspect: (data) => add("token_introspect", { data: JSON.stringify(data) }),
    resolver: (name, data, made) => add("external_data_resolver", { name, data: JSON.stringify(data) }, made),
    change: async (of, text) => {
      await write(`MATCH (r:${recordLabel} {id: $of}) SET r.text = $text, r.version = r.version + 1`, {
        of,
        text: policyText(text),
      });
    },
    remove: async () => {
      await write(`MATCH (r:${recordLabel} {project_id: $id}) DETACH DELETE r`, { id });
    },
  };
};
