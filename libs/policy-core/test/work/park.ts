import type { Graph } from "@ikg/graph";
import { keyField, nodeLabel, projectLabel, type ProjectKey, quoteName, typeLabel } from "@ikg/physical";

/**
 * The graph whose database work is recorded: a power company. 300 engineers in 30 teams look after 2,000 turbines on
 * 40 sites; every turbine, and every one of the spare ones, was made by one brand, which is the hub.
 */
export const sizes = { engineers: 300, teams: 30, sites: 40, turbines: 2_000, orders: 4_000 } as const;

const node = (pk: ProjectKey, type: string): string =>
  [nodeLabel, projectLabel(pk), typeLabel(type, pk)].map(quoteName).join(":");

/** `UNWIND` over numbers that creates nodes `<prefix><n>` of a type; `fields` may use `n`. */
const createNodes = (pk: ProjectKey, type: string, prefix: string, fields: string): string =>
  [
    "UNWIND range($from, $to) AS n",
    `CREATE (x:${node(pk, type)} {${keyField}: '${pk}/${type}/${prefix}' + n, external_id: '${prefix}' + n,`,
    `  type: '${type}', id: '${pk}-${type}-${prefix}' + n${fields === "" ? "" : `, ${fields}`}})`,
  ].join("\n");

/** `UNWIND` over numbers that relates node `from` to node `to`, both expressions over `n`. */
const relate = (pk: ProjectKey, from: string, type: string, to: string, fields = ""): string =>
  [
    "UNWIND range($from, $to) AS n",
    `MATCH (a:${nodeLabel} {${keyField}: '${pk}/' + ${from}})`,
    `MATCH (b:${nodeLabel} {${keyField}: '${pk}/' + ${to}})`,
    `CREATE (a)-[:${type} {${fields}}]->(b)`,
  ].join("\n");

const batch = 10_000;

/** Writes the park. @param spares turbines that only the brand knows */
export const writePark = async (graph: Graph, pk: ProjectKey, spares: number): Promise<void> => {
  const run = async (text: string, count: number): Promise<void> => {
    for (let from = 0; from < count; from += batch) {
      const bounds = { from, to: Math.min(from + batch, count) - 1 };
      await graph.shared.write((tx) => tx.run(text, bounds), { timeoutMs: 60_000 });
    }
  };
  const { engineers, teams, sites, turbines, orders } = sizes;
  await run(createNodes(pk, "Brand", "b", "country: 'dk'"), 1);
  await run(createNodes(pk, "Team", "m", "grade: n % 5"), teams);
  await run(createNodes(pk, "Site", "s", "region: 'r' + (n % 4), open: n % 3 > 0"), sites);
  await run(
    createNodes(pk, "Engineer", "e", "class: n % 5, name: 'E' + n, regions: ['r' + (n % 4)]"),
    engineers,
  );
  await run(
    createNodes(pk, "Turbine", "t", "class: n % 5, output: n % 100, model: 'v' + (n % 10)"),
    turbines,
  );
  await run(createNodes(pk, "Order", "o", "state: CASE n % 4 WHEN 0 THEN 'open' ELSE 'done' END"), orders);
  await run(
    relate(pk, "'Engineer/e' + n", "MEMBER_OF", "'Team/m' + (n % 30)", "since: 2000 + n % 20"),
    engineers,
  );
  await run(relate(pk, "'Team/m' + n", "PART_OF", "'Team/m' + (n / 3)"), teams);
  await run(relate(pk, "'Team/m' + n", "SERVES", "'Site/s' + n"), teams);
  await run(relate(pk, "'Engineer/e' + n", "WORKS_AT", "'Site/s' + (n % 40)"), engineers);
  await run(relate(pk, "'Site/s' + (n % 40)", "RUNS", "'Turbine/t' + n", "since: 1990 + n % 30"), turbines);
  await run(relate(pk, "'Turbine/t' + n", "MADE_BY", "'Brand/b0'"), turbines);
  // The hub's own: each with its edge at once, because there are many.
  const hub = `MATCH (b:${nodeLabel} {${keyField}: '${pk}/Brand/b0'})`;
  const spare = createNodes(pk, "Turbine", "x", "class: 1");
  await run(`${hub}\n${spare}-[:MADE_BY]->(b)`, spares);
  await run(relate(pk, "'Engineer/e' + n", "TRAINED_BY", "'Brand/b0'", "level: n % 3"), engineers);
  await run(relate(pk, "'Order/o' + n", "CONCERNS", "'Turbine/t' + (n % 2000)"), orders);
  await run(relate(pk, "'Order/o' + n", "ASSIGNED_TO", "'Engineer/e' + (n % 300)"), orders);
};

/** Plans follow the statistics of the indexes, which the database otherwise takes when it likes. */
export const settle = async (graph: Graph): Promise<void> => {
  await graph.shared.write((tx) => tx.run("CALL db.prepareForReplanning(60)", {}), { timeoutMs: 60_000 });
};

/**
 * Removes the park in pieces, because a transaction holds all that it removes in memory: first what points to the hub,
 * and the hub, which would take all its relationships along, when it has none left.
 */
export const dropPark = async (graph: Graph, pk: ProjectKey): Promise<void> => {
  const all = `MATCH (n:${projectLabel(pk)})`;
  const text = `${all} WHERE n.type <> 'Brand' WITH n LIMIT ${batch} DETACH DELETE n RETURN count(*) AS removed`;
  for (let removed: unknown = 1; removed !== 0;) {
    const [row] = await graph.shared.write((tx) => tx.run(text, {}), { timeoutMs: 60_000 });
    removed = row?.["removed"] ?? 0;
  }
  await graph.shared.write((tx) => tx.run(`${all} DELETE n`, {}), { timeoutMs: 60_000 });
};
