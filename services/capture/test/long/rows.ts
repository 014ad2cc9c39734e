/** Rows of a repeatable graph: persons with two values, each known by some and near some. */

const name = (i: number): string => `p${i}`;

export const nodeOf = (i: number) => ({
  external_id: name(i),
  type: i % 10 === 0 ? "Company" : "Person",
  properties: [
    { type: "name", value: `Person ${i}` },
    { type: "age", value: i % 90 },
  ],
});

const refOf = (i: number) => ({ external_id: name(i), type: i % 10 === 0 ? "Company" : "Person" });

/** Spread over all nodes; no two are the same while there are fewer than three for each node. */
export const relationshipOf = (i: number, nodes: number) => {
  const source = i % nodes;
  const round = Math.floor(i / nodes);
  return {
    source: refOf(source),
    target: refOf((source * 31 + 17 + round * 1_009) % nodes),
    type: i % 3 === 0 ? "OWNS" : "KNOWS",
    properties: [{ type: "since", value: 1_990 + (i % 30) }],
  };
};
