import { describe, expect, it } from "@jest/globals";
import { newGid } from "@ikg/contracts";
import { Redis } from "ioredis";
import { announceOn, announcementOf } from "./announce.ts";
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

  it("that cannot be sent are logged and hold nobody up", async () => {
    const redis = new Redis("redis://127.0.0.1:1", {
      lazyConnect: true,
      connectTimeout: 300,
      commandTimeout: 300,
      maxRetriesPerRequest: 1,
      retryStrategy: () => 50,
    });
    redis.on("error", () => undefined);
    const warnings: string[] = [];
    const log = { warn: (message: string) => warnings.push(message) };
    await announceOn(
      redis,
      log,
    )([announcementOf("created", record({})), announcementOf("created", record({}))]);
    expect(warnings).toEqual([expect.stringContaining("could not be announced")]);
    redis.disconnect();
  });
});
