import { createHash } from "node:crypto";
import { type BodyOf, type Gid, roleBindingCollection } from "@ikg/contracts";
import type { Collection, Reference } from "../records/collection.ts";

type Body = BodyOf<typeof roleBindingCollection.fields>;

const holders = ({ subject: { service_account_id }, project_id }: Body): readonly Reference[] => [
  ...(service_account_id === undefined
    ? []
    : [{ field: "subject.service_account_id", kind: "service_account" as const, id: service_account_id }]),
  ...(project_id === undefined ? [] : [{ field: "project_id", kind: "project" as const, id: project_id }]),
];

const parts = ({ subject, role, project_id }: Body, organization: Gid): readonly unknown[] => [
  organization,
  project_id ?? null,
  role,
  subject.service_account_id ?? [subject.claim, subject.value],
];

/** Who may do what. A binding goes with its service account and with its project. */
export const roleBindings: Collection<typeof roleBindingCollection.fields> = {
  ...roleBindingCollection,
  holders,
  uniqueKey: (body, organization) => ({
    // Hashed, because claim and value together may exceed an index key.
    key: `role_binding/${createHash("sha256")
      .update(JSON.stringify(parts(body, organization)))
      .digest("base64url")}`,
    fault: "subject: has this role here already",
  }),
  present: ({ projectId }) => ({ project_id: projectId }),
};
