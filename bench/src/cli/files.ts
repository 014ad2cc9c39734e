/** The same rows as CSV with a mapping, and as lines of an import. */
import { createWriteStream, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";

const teams = 1_000;

const mapping = `files:
  rows.csv:
    nodes:
      - type: Member
        external_id: "{id}"
        is_identity: true
        properties: {name: name, age: {column: age, as: integer}, since: {column: since, as: datetime}}
    relationships:
      - source: {type: Member, external_id: "{id}"}
        type: KNOWS
        target: {type: Member, external_id: "{friend_id}"}
      - source: {type: Member, external_id: "{id}"}
        type: LEADS
        target: {type: Member, external_id: "{other_id}"}
`;

const since = "2026-01-31T09:00:00.000Z";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly age: number;
  readonly friend: string;
  readonly other: string;
}

/** @param prefix of the ids: each import writes nodes that are not there yet */
const rowOf = (at: number, rows: number, prefix: string): Row => ({
  id: `${prefix}${at}`,
  name: `Member ${at % teams}, ${at}`,
  age: at % 90,
  friend: `${prefix}${(at * 7 + 1) % rows}`,
  other: `${prefix}${(at * 31 + 5) % rows}`,
});

const csvOf = ({ id, name, age, friend, other }: Row): string =>
  `${id},"${name}",${age},${since},${friend},${other}\n`;

const member = (external_id: string) => ({ type: "Member", external_id });

const nodeOf = ({ id, name, age }: Row): string => {
  const properties = [
    { type: "name", value: name },
    { type: "age", value: age },
    { type: "since", value: since },
  ];
  return `${JSON.stringify({ node: { ...member(id), is_identity: true, properties } })}\n`;
};

const relationshipsOf = ({ id, friend, other }: Row): string =>
  [
    ["KNOWS", friend],
    ["LEADS", other],
  ]
    .map(([type, target = ""]) => ({ source: member(id), type, target: member(target) }))
    .map((relationship) => `${JSON.stringify({ relationship })}\n`)
    .join("");

const atOnce = 1_000;

const writeAll = async (file: string, texts: Iterable<string>): Promise<void> => {
  const stream = createWriteStream(file);
  let [text, count] = ["", 0];
  for (const each of texts) {
    text += each;
    if (++count % atOnce !== 0) continue;
    if (!stream.write(text)) await once(stream, "drain");
    text = "";
  }
  stream.end(text);
  await once(stream, "finish");
};

const each = function* (rows: number, prefix: string, textOf: (row: Row) => string): Generator<string> {
  for (let at = 0; at < rows; at++) yield textOf(rowOf(at, rows, prefix));
};

export const writeCsv = async (folder: string, rows: number, prefix: string): Promise<void> => {
  writeFileSync(join(folder, "map.yaml"), mapping);
  const lines = function* () {
    yield "id,name,age,since,friend_id,other_id\n";
    yield* each(rows, prefix, csvOf);
  };
  await writeAll(join(folder, "rows.csv"), lines());
};

export const writeNdjson = async (folder: string, rows: number, prefix: string): Promise<void> => {
  const lines = function* () {
    yield* each(rows, prefix, nodeOf);
    yield* each(rows, prefix, relationshipsOf);
  };
  await writeAll(join(folder, "rows.ndjson"), lines());
};
