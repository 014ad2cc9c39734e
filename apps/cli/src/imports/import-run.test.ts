import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Ikg, IkgError, IkgUnreachable } from "@ikg/client";
import { ImportRun, type ImportTotals, newState, planImport, readMapping } from "@ikg/imports";
import { isLongRun } from "../../../../stack/src/testing/test-environment.ts";
import { silentEnvironment } from "../../test/command-environment.ts";
import { localFile } from "../tables/local-file.ts";
import { ImportProgress } from "./import-progress.ts";
import { StateFile } from "./state-file.ts";

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), "ikg-run-"))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const mapping = `files:
  "*.csv":
    nodes:
      - {type: Person, external_id: "{id}", properties: {age: {column: age, as: integer}}}
    relationships:
      - source: {type: Person, external_id: "{id}"}
        type: KNOWS
        target: {type: Person, external_id: "{friend}"}
`;

interface Upload {
  readonly lines: readonly string[];
  status: "done" | "failed" | "gone";
}

const gone = new IkgError({ code: "not_found", status: 404, message: "Not Found" });

/** A suite that keeps uploads, rejects lines that name "bad", and breaks off the uploads that a test chooses. */
class Suite {
  readonly uploads: Upload[] = [];
  readonly broken: Upload[] = [];
  breakAt: number | undefined;
  /** Thrown, one after the other, for uploads from the second one on. */
  refusals: Error[] = [];
  firstRefusal: Error | undefined;
  failAt: number | undefined;
  /** The job that is deleted while its rejected lines are read, after the first one. */
  forgetAt: number | undefined;

  get ikg(): Ikg {
    const capture = {
      import: async (source: AsyncIterable<string>) => {
        let text = "";
        for await (const piece of source) text += piece;
        const refusal = this.uploads.length > 0 ? this.refusals.shift() : this.firstRefusal;
        if (refusal !== undefined) throw refusal;
        const upload: Upload = { lines: text.trimEnd().split("\n"), status: "done" };
        if (this.uploads.length === this.breakAt) {
          this.broken.push(upload);
          throw new Error("reset");
        }
        if (this.uploads.length === this.failAt) upload.status = "failed";
        this.uploads.push(upload);
        return { id: String(this.uploads.length - 1) };
      },
      job: (id: string) => this.#job(this.uploads[Number(id)], Number(id) === this.forgetAt),
    };
    return { capture } as unknown as Ikg; // as much of it as an import calls
  }

  /** All lines in the order in which they were written. */
  get lines(): readonly string[] {
    return this.uploads.filter(({ status }) => status === "done").flatMap(({ lines }) => lines);
  }

  #job(upload: Upload | undefined, isForgotten: boolean) {
    const rejected = (upload?.lines ?? []).flatMap((line, at) =>
      line.includes("bad") ? [{ line: at + 1, errors: ["no"] }] : [],
    );
    const written = (kind: string): number =>
      (upload?.lines ?? []).filter((line) => line.startsWith(`{"${kind}"`) && !line.includes("bad")).length;
    const state = {
      status: upload?.status,
      nodes: { written: written("node") },
      relationships: { written: written("relationship") },
      rejected: { count: rejected.length },
    };
    return {
      progress: async function* progress() {
        if (upload === undefined || upload.status === "gone") throw gone;
        yield state;
      },
      rejected: async function* all() {
        yield* isForgotten ? rejected.slice(0, 1) : rejected;
        if (isForgotten) throw gone;
      },
    };
  }
}

const write = (name: string, rows: readonly string[]): void =>
  writeFileSync(join(cwd, name), ["id,age,friend", ...rows, ""].join("\n"));

const file = (): StateFile => new StateFile(join(cwd, "state"), "one");

const run = async (
  suite: Suite,
  { names = ["a.csv"], lines = 2 }: { readonly names?: readonly string[]; readonly lines?: number } = {},
): Promise<ImportTotals> => {
  const files = names.map((name) => {
    const path = join(cwd, name);
    return localFile({ name, path, origin: path, format: "csv" });
  });
  const state = file();
  const parts = {
    ikg: suite.ikg,
    plan: await planImport(files, readMapping("map.yaml", mapping)),
    state: state.read() ?? newState("same"),
    store: state,
    limits: { lines, characters: 1_000_000 },
    signal: new AbortController().signal,
    progress: new ImportProgress(silentEnvironment(), 1),
  };
  return new ImportRun(parts).run();
};

const rejected = (): readonly unknown[] =>
  existsSync(file().rejectedPath)
    ? readFileSync(file().rejectedPath, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown)
    : [];

const node = (id: string, age: number) =>
  JSON.stringify({ node: { type: "Person", external_id: id, properties: [{ type: "age", value: age }] } });
const knows = (id: string, friend: string) =>
  JSON.stringify({
    relationship: {
      source: { type: "Person", external_id: id },
      type: "KNOWS",
      target: { type: "Person", external_id: friend },
    },
  });

describe("an import", () => {
  it("sends all nodes before all relationships, so many lines a job", async () => {
    write("a.csv", ["a,1,b", "b,2,c", "c,3,"]);
    write("b.csv", ["d,4,a"]);
    const suite = new Suite();
    const totals = await run(suite, { names: ["a.csv", "b.csv"] });
    expect(totals).toEqual({ rows: 4, nodes: 4, relationships: 3, rejected: 0, notKept: 0 });
    expect(suite.uploads.map(({ lines }) => lines)).toEqual([
      [node("a", 1), node("b", 2)],
      [node("c", 3), node("d", 4)],
      [knows("a", "b"), knows("b", "c")],
      [knows("d", "a")],
    ]);
  });

  it("continues with the job that broke off, wherever that was", async () => {
    const ids = Array.from({ length: 9 }, (_, at) => String(at));
    write(
      "a.csv",
      ids.map((id) => `${id},1,${id}`),
    );
    for (let breakAt = 0; breakAt < 10; breakAt += isLongRun() ? 1 : 3) {
      const suite = new Suite();
      suite.breakAt = breakAt;
      await expect(run(suite)).rejects.toThrow("reset");
      suite.breakAt = undefined;
      const totals = await run(suite);
      expect(totals).toEqual({ rows: 9, nodes: 9, relationships: 9, rejected: 0, notKept: 0 });
      expect(suite.lines).toEqual([...ids.map((id) => node(id, 1)), ...ids.map((id) => knows(id, id))]);
      file().remove();
    }
  });

  it("sends a job again that has failed, or is forgotten, with all after it", async () => {
    write("a.csv", ["a,1,", "b,2,", "c,3,", "d,4,"]);
    const suite = new Suite();
    suite.failAt = 1;
    await expect(run(suite, { lines: 1 })).rejects.toThrow("import job 1 ended with status failed");
    suite.failAt = undefined;
    expect(await run(suite, { lines: 1 })).toMatchObject({ rows: 4, nodes: 4 });
    const sent = [node("b", 2), node("c", 3), node("d", 4)];
    // The job after the failed one was under way by then.
    expect(suite.lines).toEqual([node("a", 1), node("c", 3), ...sent]);
    file().remove();

    const other = new Suite();
    other.breakAt = 2;
    await expect(run(other, { lines: 1 })).rejects.toThrow("reset");
    for (const upload of other.uploads) upload.status = "gone";
    other.breakAt = undefined;
    expect(await run(other, { lines: 1 })).toMatchObject({ nodes: 4 });
    expect(new Set(other.lines)).toEqual(new Set(sent));
  });

  it("sends a job again that was refused before anything was executed", async () => {
    write("a.csv", ["a,1,", "b,2,", "c,3,", "d,4,"]);
    const busy = (retryAfter?: number): Error =>
      new IkgError({ code: "unavailable", status: 503, message: "busy", retryAfter });
    const suite = new Suite();
    suite.refusals = [busy(0), busy(0)];
    expect(await run(suite)).toEqual({ rows: 4, nodes: 4, relationships: 0, rejected: 0, notKept: 0 });
    expect(suite.lines).toEqual([node("a", 1), node("b", 2), node("c", 3), node("d", 4)]);
    file().remove();

    // It may have been executed, or the time is longer than anyone waits.
    for (const refusal of [busy(), busy(600)]) {
      const other = new Suite();
      other.refusals = [refusal];
      await expect(run(other)).rejects.toThrow("busy");
      expect(other.uploads).toHaveLength(1);
      file().remove();
    }
  });

  it("waits for a suite that is gone only where it has answered before", async () => {
    write("a.csv", ["a,1,", "b,2,"]);
    const gone = (): Error => {
      const cause = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
      return new IkgUnreachable("connection", "no connection", cause);
    };
    const suite = new Suite();
    suite.refusals = [gone()];
    expect(await run(suite, { lines: 1 })).toMatchObject({ rows: 2, nodes: 2 });
    file().remove();
    const absent = new Suite();
    absent.firstRefusal = gone();
    await expect(run(absent)).rejects.toThrow("no connection");
  });

  it("sends relationships again with nodes that were not written before them", async () => {
    write("a.csv", ["a,1,b", "b,2,a"]);
    const suite = new Suite();
    suite.failAt = 1;
    await expect(run(suite, { lines: 1 })).rejects.toThrow("import job 1 ended with status failed");
    suite.failAt = undefined;
    expect(await run(suite, { lines: 1 })).toMatchObject({
      rows: 2,
      nodes: 2,
      relationships: 2,
      rejected: 0,
    });
    expect(suite.lines.slice(-3)).toEqual([node("b", 2), knows("a", "b"), knows("b", "a")]);
  });

  it("finds the rows of rejected lines, and notes each once although it was interrupted", async () => {
    write("a.csv", ["a,1,bad", "bad,2,a", "c,x,a", "d,4", "bad2,5,", "f,6,c"]);
    const kinds = [
      [2, "node", ["no"]],
      [3, "node", ['age: "x" is not an integer']],
      [4, undefined, ["2 cells; 3 expected, one per column"]],
      [5, "node", ["no"]],
      [1, "relationship", ["no"]],
      [2, "relationship", ["no"]],
    ];
    for (const breakAt of isLongRun() ? [undefined, 0, 1, 2, 3] : [undefined, 0, 2]) {
      const suite = new Suite();
      suite.breakAt = breakAt;
      if (breakAt !== undefined) await expect(run(suite)).rejects.toThrow("reset");
      suite.breakAt = undefined;
      expect(await run(suite)).toEqual({ rows: 6, nodes: 2, relationships: 2, rejected: 6, notKept: 0 });
      const found = rejected() as {
        row: number;
        kind?: string;
        errors: string[];
        text: string;
        line: number;
      }[];
      expect(found.map(({ row, kind, errors }) => [row, kind, errors])).toEqual(kinds);
      expect(found.map(({ line, row }) => line - row)).toEqual(found.map(() => 1));
      expect(found[0]?.text).toBe("bad,2,a");
      file().remove();
    }
  });

  it("sends a job again that is deleted while its rejected lines are read, and notes each once", async () => {
    write("a.csv", ["bad,1,", "b,2,b", "bad2,3,", "d,4,d"]);
    const suite = new Suite();
    suite.breakAt = 1;
    await expect(run(suite, { lines: 4 })).rejects.toThrow("reset");
    suite.breakAt = undefined;
    suite.forgetAt = 0;
    expect(await run(suite, { lines: 4 })).toEqual({
      rows: 4,
      nodes: 2,
      relationships: 2,
      rejected: 2,
      notKept: 0,
    });
    expect(rejected()).toMatchObject([{ text: "bad,1," }, { text: "bad2,3," }]);
  });

  it("sends nothing where no row has a line", async () => {
    write("a.csv", []);
    const suite = new Suite();
    expect(await run(suite)).toMatchObject({ rows: 0, nodes: 0 });
    write("a.csv", ["a,x,", "b,y,"]);
    expect(await run(suite)).toMatchObject({ rows: 0 });
    file().remove();
    expect(await run(suite)).toMatchObject({ rows: 2, rejected: 2 });
    expect(suite.uploads).toEqual([]);
  });
});
