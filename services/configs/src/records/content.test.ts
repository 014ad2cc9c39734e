import { describe, expect, it } from "@jest/globals";
import { newGid, projectCollection } from "@ikg/contracts";
import { keyRing } from "@ikg/secrets";
import { bodyOf, contentOf, formerData, merge, shownOf } from "./content.ts";
import type { StoredRecord } from "./record.ts";

const keys = keyRing(Buffer.alloc(32, 1));
const id = newGid("project");
const connection = {
  url: "bolt://db.example",
  username: "me",
  password: "hidden-one",
  constituents: { db2: { url: "bolt://two.example", username: "me", password: "hidden-two" } },
  composite_db_name: "all",
  alias_mapping: "east=db2",
};
const body = projectCollection.create.parse({
  organization_id: newGid("organization"),
  name: "shop",
  db_connection: connection,
});
const content = contentOf(projectCollection, keys, id, body);
const record: StoredRecord = {
  id,
  kind: "project",
  organizationId: newGid("organization"),
  projectId: id,
  parentId: newGid("organization"),
  name: "shop",
  displayName: undefined,
  description: undefined,
  version: 1,
  etag: "e",
  createTime: "",
  updateTime: "",
  createdBy: id,
  updatedBy: id,
  ...content,
};

describe("a connection of a project's own", () => {
  it("is stored without its passwords, and has them for the connection", () => {
    expect(JSON.stringify(content)).not.toMatch(/hidden|db\.example/);
    expect(bodyOf(projectCollection, keys, record).db_connection).toEqual(body.db_connection);
  });

  it("is shown, and kept in former states, without them", () => {
    const shown = JSON.stringify(shownOf(projectCollection, keys, record));
    expect(shown).toContain("two.example");
    const former = { ...record, data: formerData(projectCollection, keys, record) };
    expect(JSON.stringify(shownOf(projectCollection, keys, former))).toBe(shown);
    expect(JSON.stringify([shown, bodyOf(projectCollection, keys, former)])).not.toContain("hidden");
  });

  it("stays when an update does not bring one, and is replaced as a whole by one that does", () => {
    const current = bodyOf(projectCollection, keys, record);
    const merged = (change: object) =>
      merge(projectCollection, current, projectCollection.update.parse(change)).body.db_connection;
    expect(merged({ db_connection: null })).toEqual(body.db_connection);
    const other = { url: "bolt://x.example", username: "a", password: "b" };
    expect(JSON.parse(JSON.stringify(merged({ db_connection: other })))).toEqual(other);
  });
});
