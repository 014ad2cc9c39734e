import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { announcementOf } from "./announcement.ts";
import type { StoredRecord } from "./record.ts";

const record = (columns: StoredRecord["columns"]): StoredRecord => ({
  id: newGid("application_agent_credential"),
  kind: "application_agent_credential",
  organizationId: newGid("organization"),
  projectId: undefined,
  parentId: undefined,
  name: undefined,
  displayName: undefined,
  description: undefined,
  version: 1,
  etag: "e",
  createTime: "",
  updateTime: "",
  createdBy: "",
  updatedBy: "",
  data: {},
  text: undefined,
  columns,
});

describe("announcements", () => {
  it("name the record and the key id, and nothing else", () => {
    const one = record({ kid: "k", token_hash: "secret" });
    expect(announcementOf("deleted", one)).toEqual({
      kind: one.kind,
      id: one.id,
      organization_id: one.organizationId,
      kid: "k",
      action: "deleted",
    });
  });
});
