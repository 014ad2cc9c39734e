import { expect, it } from "@jest/globals";
import { openQuery } from "../../src/configuration/open-query.ts";
import { askCapture } from "../../src/neighbours/light-requests.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import { capture } from "../../src/requests/capture.ts";

const neighbours = useNeighbours();

/** Members of a whole node, as answers have them. */
interface Whole {
  readonly Id: number | string;
  readonly ElementId: string;
}

/** True where each is greater than the one before: they count. */
const ascends = (numbers: readonly number[]): boolean =>
  numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));

it("ids of whole nodes do not count what other tenants write", async () => {
  const { heavy, light } = neighbours;
  const reads = { nodes: ["n"], relationships: ["r"] };
  const query = await openQuery(
    heavy,
    {
      subject: { type: "_Application" },
      condition: { cypher: "MATCH (subject:_Application) MATCH (n:Probe)-[r:NEXT]->(m:Probe)" },
      allowed_reads: reads,
    },
    reads,
  );
  const probe = (number: number) => ({
    type: "Probe",
    external_id: `probe-${String(number).padStart(2, "0")}`,
  });
  const count = 10;
  for (let number = 0; number < count; number++) {
    const [source, target] = [probe(number), probe(number + 1)];
    await capture({ nodes: [source, target], relationships: [{ source, target, type: "NEXT" }] }, heavy);
    const written = await askCapture(light)(number);
    expect(written.status).toBe(200);
  }
  const read = async () =>
    (await query.rows()).map(({ nodes, relationships }) => ({
      // Whole nodes and relationships have the members of `Whole`.
      node: nodes?.["n"] as Whole,
      relationship: relationships?.["r"] as Whole,
    }));
  const first = await read();
  expect(first).toHaveLength(count);
  for (const kind of ["node", "relationship"] as const) {
    const ids = first.map((row) => row[kind]);
    expect(new Set(ids.map(({ Id }) => String(Id))).size).toBe(count);
    // Ten values in the order of their creation by chance: once in 3,628,800 times.
    expect(ascends(ids.map(({ Id }) => Number(Id)))).toBe(false);
    for (const { ElementId } of ids) expect(ElementId).not.toMatch(/^\d+:[0-9a-f-]{36}:\d+$/);
    expect(ascends(ids.map(({ ElementId }) => Number(/\d+$/.exec(ElementId)?.[0] ?? NaN)))).toBe(false);
  }
  // The same node has the same id whenever it is read.
  expect(await read()).toEqual(first);
});
