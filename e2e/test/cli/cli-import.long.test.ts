import { spawn } from "node:child_process";
import { createWriteStream, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { IkgAdmin } from "@ikg/client";
import { eventually } from "../../../stack/src/testing/eventually.ts";
import { environment } from "../../src/environment.ts";
import { type AirfieldShell, openAirfieldShell, type ShellRun } from "../../src/fixtures/airfield-shell.ts";

/** Rows of the import that is killed: `IKG_IMPORT_ROWS=1000000` is the size of docs/benchmarks.md. */
const many = Number(process.env["IKG_IMPORT_ROWS"] ?? 20_000);
/** Milliseconds for everything that happens to that import. */
const importMs = 1_200_000;
const jobLines = Math.max(1_000, Math.floor(many / 10));

let shell: AirfieldShell;

const mapping = `files:
  people*.csv:
    nodes:
      - type: Member
        external_id: "m-{id}"
        properties:
          name: name
          age: {column: age, as: integer}
    relationships:
      - source: {type: Member, external_id: "m-{id}"}
        type: KNOWS
        target: {type: Member, external_id: "m-{friend_id}"}
`;

const write = (name: string, text: string): void => writeFileSync(join(shell.folder, name), text);

/** Each knows one who comes later: ends of relationships are in later jobs than their nodes. */
const writePeople = async (name: string, rows: number): Promise<void> => {
  const stream = createWriteStream(join(shell.folder, name));
  stream.write("id,name,age,friend_id\n");
  let text = "";
  for (let at = 0; at < rows; at++) {
    text += `${at},"Member, ${at}",${at % 90},${(at * 7 + 1) % rows}\n`;
    if (at % 1_000 !== 999) continue;
    if (!stream.write(text)) await once(stream, "drain");
    text = "";
  }
  stream.end(text);
  await once(stream, "finish");
};

interface Counts {
  readonly nodes: number;
  readonly names: number;
  readonly relationships: number;
}

/** What the graph has of the people; counts of the data schema are fresh when they are asked for the first time. */
const counts = async (): Promise<Counts> => {
  const { graph } = await shell.project.ikg.dataSchema({ timeoutMs: 300_000 });
  const known = graph.edges.filter(({ source, relation }) => source === "Member" && relation === "KNOWS");
  const members = graph.nodes["Member"]?.metadata;
  return {
    nodes: members?.node_count ?? 0,
    names: members?.properties["name"]?.count ?? 0,
    relationships: known.reduce((sum, { metadata }) => sum + metadata.count, 0),
  };
};

const states = (): readonly string[] => {
  const folder = join(shell.folder, ".local/state/ikg/imports");
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
};

/** The state of the one import that was interrupted. */
const state = (): { readonly pass: number; readonly next: { readonly row: number } } =>
  JSON.parse(readFileSync(join(shell.folder, ".local/state/ikg/imports", states()[0] ?? ""), "utf8")) as {
    pass: number;
    next: { row: number };
  };

beforeAll(async () => {
  shell = await openAirfieldShell();
  write("map.yaml", mapping);
  await writePeople("people.csv", many);
}, 120_000);
afterAll(async () => {
  if (shell === undefined) return;
  // A large graph takes longer to remove than a call may take by default.
  const { base_url: baseUrl, service_account_token: token } = environment();
  await new IkgAdmin({ baseUrl, token, timeoutMs: 600_000 }).projects.delete(shell.project.id);
  rmSync(shell.folder, { recursive: true, force: true });
}, 600_000);

const command = `ikg import people.csv --map map.yaml --job-lines ${jobLines}`;

/** Starts the import, and sends it a signal once it has come so far. */
const interrupt = async (signal: NodeJS.Signals, isThere: () => boolean): Promise<ShellRun> => {
  const child = spawn("bash", ["-c", `exec ${command}`], {
    cwd: shell.folder,
    env: { ...shell.variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (text) => void (output += String(text)));
  child.stderr.on("data", (text) => void (errors += String(text)));
  const closed = once(child, "close") as Promise<[number | null]>;
  await eventually(
    () => child.exitCode !== null || isThere(),
    (isReached) => isReached,
    { withinMs: importMs, everyMs: 5 },
  );
  child.kill(signal);
  const [code] = await closed;
  return { code, output, errors };
};

describe("an import that is interrupted", () => {
  it(
    "ends with exactly the rows of the file, killed twice and interrupted once on the way",
    async () => {
      const passed = (pass: number, share: number) => (): boolean =>
        states().length > 0 &&
        (state().pass > pass || (state().pass === pass && state().next.row >= many * share));
      const first = await interrupt("SIGKILL", passed(0, 0.3));
      expect([first.code, first.output]).toEqual([null, ""]);
      const second = await interrupt("SIGKILL", passed(1, 0.2));
      expect([second.code, second.output]).toEqual([null, ""]);
      expect(second.errors).toMatch(/^warning: continuing an interrupted import: \d+ nodes/);
      const third = await interrupt("SIGINT", passed(1, 0.6));
      expect([third.code, third.output]).toEqual([2, ""]);
      expect(third.errors).toMatch(/\nerror: interrupted: .* run the same command to continue\n$/);
      const last = await shell.run(`${command} -o json`);
      expect(last.errors).toMatch(/^warning: continuing an interrupted import: .*\n$/);
      expect([last.code, JSON.parse(last.output)]).toEqual([
        0,
        { rows: many, nodes: many, relationships: many, rejected: { count: 0, not_kept: 0 } },
      ]);
      expect(await counts()).toEqual({ nodes: many, names: many, relationships: many });
      expect(states()).toEqual([]);
    },
    importMs,
  );

  it("starts over when the file has changed", async () => {
    await writePeople("people-new.csv", 3_000);
    const run = "ikg import people-new.csv --map map.yaml --job-lines 1000";
    const child = shell.run(
      `${run} & while [ ! -d .local/state/ikg/imports ]; do sleep 0.05; done; kill -9 $!`,
    );
    await child;
    await writePeople("people-new.csv", 2_000);
    const { code, errors } = await shell.run(run);
    if (errors !== "") expect(errors).toContain("starting over");
    expect(code).toBe(0);
    expect(states()).toEqual([]);
  }, 120_000);
});

describe("rejected lines", () => {
  const rows = [
    "id,name,age,friend_id",
    "a,Ann,7,b",
    'b,"Bob\nof two lines",seven,a',
    "c,Cid,8,nobody",
    "d,Dan",
    "e,Eve,9,",
  ];

  it("are in a file, each with its row, its text and its reasons", async () => {
    write("people-odd.csv", `${rows.join("\n")}\n`);
    const { code, output } = await shell.run(
      "ikg import people-odd.csv --map map.yaml --rejected rejected.ndjson",
    );
    expect([code, output]).toEqual([
      1,
      "done: 5 rows; 3 nodes and 0 relationships written, 5 lines rejected.\n",
    ]);
    const lines = readFileSync(join(shell.folder, "rejected.ndjson"), "utf8").trimEnd().split("\n");
    const file = "people-odd.csv";
    const missing = (end: string): readonly string[] => [`relationship.${end}: node does not exist`];
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { file, row: 2, line: 3, kind: "node", text: rows[2], errors: ['age: "seven" is not an integer'] },
      { file, row: 4, line: 6, text: rows[4], errors: ["2 cells; 4 expected, one per column"] },
      { file, row: 1, line: 2, kind: "relationship", text: rows[1], errors: missing("target") },
      { file, row: 2, line: 3, kind: "relationship", text: rows[2], errors: missing("source") },
      { file, row: 3, line: 5, kind: "relationship", text: rows[3], errors: missing("target") },
    ]);
  }, 60_000);

  it("are shown where no file is given, the first ones", async () => {
    const { code, errors } = await shell.run("ikg import people-odd.csv --map map.yaml");
    expect(code).toBe(1);
    expect(errors).toMatch(/^warning: people-odd\.csv:3: node: age: "seven" is not an integer\nwarning: /);
  }, 60_000);
});

describe("standard input", () => {
  it("holds lines of an import, compressed or not", async () => {
    for (const pack of ["cat", "gzip"]) {
      const { code, output } = await shell.run(
        `node examples/airfield/many-pilots.mjs 50 | ${pack} | ikg import - --format ndjson`,
      );
      expect([code, output]).toEqual([
        0,
        "done: 100 rows; 50 nodes and 50 relationships written, 0 lines rejected.\n",
      ]);
    }
  }, 60_000);
});

describe("a dry run", () => {
  const dryRun = "ikg import people.csv --map map.yaml --dry-run";

  it("writes nothing, and needs no suite", async () => {
    const nowhere = { IKG_URL: "http://127.0.0.1:9", IKG_CLIENT_KEY: undefined };
    const { code, output, errors } = await shell.run(dryRun, nowhere);
    expect([code, errors]).toEqual([0, ""]);
    expect(output).toContain(`${many} rows\nnodes:         Member ${many}\n`);
    expect(states()).toEqual([]);
  }, 300_000);

  it("ends quietly when its output is closed", async () => {
    const { code, errors, output } = await shell.run(`${dryRun} --rows 10000 | head -n 1`);
    expect([code, errors, output]).toEqual([0, "", "people.csv, row 1\n"]);
  }, 300_000);

  it("fits a terminal of 60 columns", async () => {
    write("people-few.csv", `id,name,age,friend_id\na,${"Ann ".repeat(40)},7,b\n`);
    const run =
      "stty cols 60; ikg import people-few.csv --map map.yaml --dry-run; ikg import people-few.csv --map map.yaml";
    const { output } = await shell.run(`script -qec "${run}" /dev/null`, { NO_COLOR: "1" });
    const lines = output.split(/[\r\n]+/);
    expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/^ {2}Member m-a .*…$/)]));
    expect(lines.filter((line) => line.length > 60 && !/^(done|warning)/.test(line))).toEqual([]);
  }, 60_000);
});

describe("what cannot be imported", () => {
  const runs: readonly (readonly [string, string, string])[] = [
    ["a file that is not there", "ikg import none.csv --map map.yaml", "none.csv is not a file"],
    ["no mapping", "ikg import people.csv", "people.csv needs a mapping: use --map FILE"],
    ["an unknown file type", "ikg import map.yaml --map map.yaml", "set --format"],
    ["no section", "ikg import examples/import/models.csv --map map.yaml", "no section for examples/import"],
    ["an unknown column", "ikg import people-odd.csv --map wrong.yaml", 'unknown column "nam"'],
    ["a wrong key", "IKG_CLIENT_KEY=ak1_wrong ikg import people-odd.csv --map map.yaml", "was rejected"],
    ["no server", "IKG_URL=http://127.0.0.1:9 ikg import people-odd.csv --map map.yaml", "127.0.0.1:9"],
    ["no Parquet", "ikg import people-odd.csv --map map.yaml --format parquet", "people-odd.csv: "],
  ];
  for (const [title, line, message] of runs)
    it(`${title}: it says so, and ends with 2`, async () => {
      write("wrong.yaml", mapping.replace("name: name", "name: nam"));
      const { code, output, errors } = await shell.run(line);
      expect([code, output]).toEqual([2, ""]);
      expect(errors).toMatch(/^(wrong\.yaml:7:17: |error: )/);
      expect(errors).toContain(message);
    }, 60_000);
});
