import { randomBytes } from "node:crypto";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { SchemaMismatch, schemaVersions } from "@ikg/graph";
import { writeArchive } from "./archive.ts";
import { readDataVersion } from "./data-version.ts";
import { restoreBackup } from "./restore-backup.ts";
import type { RawDatabase, RawRow } from "./source.ts";
import { BackupSettings } from "./settings.ts";
import { writeBackup } from "./write-backup.ts";

const settings = BackupSettings.parse({
  NEO4J_URI: "bolt://localhost",
  NEO4J_PASSWORD: "secret",
  BACKUP_KEY: randomBytes(32).toString("base64"),
});
const later = { version: schemaVersions.newest + 1, readableFrom: schemaVersions.newest + 1 };

/** A database that answers the question for its version, and no other. */
const answering = (rows: readonly RawRow[]) => {
  const statements: string[] = [];
  const refuse = (): never => {
    throw new Error("nothing else is asked");
  };
  const database: RawDatabase = {
    stream: refuse,
    read: async (text) => {
      statements.push(text);
      return statements.length === 1 ? rows : refuse();
    },
    write: refuse,
    session: refuse,
    close: async () => undefined,
  };
  return { database, statements };
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ikg-data-version-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the version of what is backed up", () => {
  it("is that of the claim; 0 for data that no build has versioned", async () => {
    const of = (rows: readonly RawRow[]) => readDataVersion(answering(rows).database);
    expect(await of([{ version: 1n, readableFrom: 0n }])).toEqual({ version: 1, readableFrom: 0 });
    expect(await of([{ version: null, readableFrom: null }])).toEqual({ version: 0, readableFrom: 0 });
    expect(await of([])).toEqual({ version: 0, readableFrom: 0 });
  });

  it("is refused by a build that does not understand it, before anything is written", async () => {
    const { database, statements } = answering([
      { version: BigInt(later.version), readableFrom: BigInt(later.readableFrom) },
    ]);
    const out = createWriteStream(join(folder, "refused"));
    await expect(writeBackup({ database, settings, out, now: () => new Date(0) })).rejects.toThrow(
      SchemaMismatch,
    );
    out.end();
    await finished(out);
    expect([statements.length, out.bytesWritten]).toEqual([1, 0]);
  });

  it("is refused when it is restored, before the database is looked at", async () => {
    const file = join(folder, "later");
    const out = createWriteStream(file);
    const archive = await writeArchive(out, settings, new Date(0));
    await archive.write({ complete: { schema: later, units: [], chains: [], elsewhere: [] } });
    await archive.end();
    out.end();
    await finished(out);
    const { database, statements } = answering([]);
    await expect(restoreBackup({ database, settings, file })).rejects.toThrow(SchemaMismatch);
    expect(statements).toEqual([]);
  });
});
