/** The statements by hand, by the raw driver. */
import { randomBytes } from "node:crypto";
import neo4j, { type Driver } from "neo4j-driver";
import { read } from "../raw-driver.ts";
import { nodeKey } from "../drive/write-graph.ts";
import { type DocumentType, firstDocument, ownerOf } from "./data.ts";
import { handWrittenRead, handWrittenTitles, handWrittenWrite, personKey } from "./queries.ts";

/** The text of every note. */
export const noteText = "Read and found good.";

export interface ByHand {
  /** One page of what a person owns, who owns so many. */
  readonly page: (rows: number) => Promise<readonly object[]>;
  /** The same page with the titles alone, of documents of a kind. */
  readonly titles: (type: DocumentType, rows: number) => Promise<readonly object[]>;
  /** Writes one new note about a document; answers its id. */
  readonly note: (id: string) => Promise<string>;
}

const pageOf = (pk: string, rows: number) => ({
  person: personKey(pk, ownerOf(rows)),
  rows: neo4j.int(rows),
});

export const byHand = (driver: Driver, pk: string): ByHand => ({
  page: (rows) => read(driver, handWrittenRead(pk), pageOf(pk, rows)),
  titles: (type, rows) => read(driver, handWrittenTitles(pk, type), pageOf(pk, rows)),
  note: async (id) => {
    const session = driver.session({ database: "neo4j" });
    try {
      const { records } = await session.run(handWrittenWrite(pk), {
        person: personKey(pk, ownerOf(1)),
        document: nodeKey(pk, "Document", firstDocument),
        note: nodeKey(pk, "Note", id),
        id,
        gid: `gid:${randomBytes(20).toString("base64url")}`,
        text: noteText,
        now: new Date().toISOString(),
      });
      return String(records[0]?.get("id"));
    } finally {
      await session.close();
    }
  },
});
