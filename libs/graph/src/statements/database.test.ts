import { describe, expect, it } from "@jest/globals";
import type { Driver } from "neo4j-driver";
import { openDatabase } from "./database.ts";
import { whyUnusable } from "../errors.ts";
import { capacityOf } from "../scheduling/capacity.ts";
import { openScheduler } from "../scheduling/scheduler.ts";
import type { StatementClass } from "../scheduling/statement-class.ts";
import type { Scheduler, StatementRequest } from "../scheduling/types.ts";
import { noneWaiting } from "../scheduling/waiting-counts.ts";

/** A server that says which version it is, and records the statements that it receives. */
const serverOf = (version: string) => {
  const statements: string[] = [];
  const answer = {
    subscribe: (observer: { onNext(record: object): void; onCompleted(summary: object): void }) => {
      observer.onNext({ keys: ["version"], get: () => version });
      observer.onCompleted({ profile: false });
    },
  };
  const session = () => ({
    run: (text: string) => {
      statements.push(text);
      return answer;
    },
    close: () => Promise.resolve(),
  });
  const driver = { session } as unknown as Driver; // what a read asks of it
  return { statements, source: { driver, database: "neo4j", part: "", clustered: false } };
};

const options = { timeoutMs: 1_000 };
/** The platform's statements are not scheduled. */
const unused = openScheduler({ capacity: capacityOf({ poolSize: 1 }), queueLength: 1, queueMs: 1 });

describe("a server that is older than 5.26", () => {
  it("is asked nothing but its version, and told of", async () => {
    const { statements, source } = serverOf("5.25.1");
    const versions: string[] = [];
    const { platform: database } = openDatabase(
      source,
      unused,
      {},
      { onOldServer: (version) => void versions.push(version) },
    );
    const failure: unknown = await database
      .read("RETURN 1 AS one", {}, options)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "unavailable", status: 503 });
    expect(whyUnusable(failure)).toBe("the server is older than Neo4j 5.26");
    await expect(database.write(async () => undefined, options)).rejects.toMatchObject({ status: 503 });
    expect(statements.filter((text) => !text.startsWith("CALL dbms.components"))).toEqual([]);
    expect(new Set(versions)).toEqual(new Set(["5.25.1"]));
  });

  it.each(["5.26.0", "2026.09.0"])("is none that is %s", async (version) => {
    const { statements, source } = serverOf(version);
    const versions: string[] = [];
    const { platform } = openDatabase(source, unused, {}, { onOldServer: (old) => void versions.push(old) });
    await platform.read("RETURN 1 AS one", {}, options);
    expect(versions).toEqual([]);
    expect(statements.at(-1)).toMatch(/RETURN 1 AS one$/);
  });
});

/** A scheduler that starts every statement at once, and lists what it started. */
const openUnbounded = () => {
  const requests: StatementRequest[] = [];
  const scheduler: Scheduler = {
    acquire: (request) => {
      requests.push(request);
      return { waitedMs: 0, release: () => undefined };
    },
    waiting: noneWaiting,
    waitingOfProjects: () => new Map(),
  };
  return { requests, scheduler };
};

describe("rows of one text", () => {
  const text = "UNWIND $rows AS row RETURN row.i AS i";
  const projectOf = (limit: number) => ({ id: "a", limits: { concurrent_statements: limit } });
  const open = () => {
    const { requests, scheduler } = openUnbounded();
    const database = openDatabase(serverOf("5.26.0").source, scheduler, {});
    const readRow = (limit: number, statementClass: StatementClass) =>
      database.of(projectOf(limit), statementClass).readRow(text, {}, options);
    return { requests, readRow };
  };

  it("are joined with those of their class alone", async () => {
    const { requests, readRow } = open();
    await Promise.all([readRow(1, "background"), readRow(1, "decision"), readRow(1, "decision")]);
    expect(requests.map(({ statementClass, rows }) => [statementClass, rows])).toEqual([
      ["background", 1],
      ["decision", 2],
    ]);
  });

  it("count with the limits that their project has by now", async () => {
    const { requests, readRow } = open();
    await Promise.all([readRow(1, "decision"), readRow(2, "decision")]);
    expect(requests.map(({ project }) => project)).toEqual([projectOf(2)]);
  });
});
