import { keyField, quoteName, relationshipFields, type ProjectKey } from "@ikg/physical";
import type { KnowledgeQuery } from "../../query/query.ts";
import type { NodeUpsert, RelationshipUpsert, Writes } from "../../query/read-upserts.ts";
import { columnsOf, printValue } from "../columns.ts";
import { indent } from "../statement.ts";
import { matchLines, maxRows, writtenAliases } from "./match.ts";
import {
  isMoved,
  type NameValue,
  setExistingNode,
  setExistingRelationship,
  setNewNode,
  setNewRelationship,
} from "./upserts.ts";

/** Limit of the upserts of one statement: planning more takes too long. */
const maxUpsertsAtOnce = 8;

const { discriminator } = relationshipFields;

/** Parameters of an entry. */
const valueOf =
  (entry: string): NameValue =>
  (name) =>
    `$w.${entry}.${name}`;

/** Where the statement finds the element of a name: in a row `__r`, or in the variable of a new node. */
interface ElementAccess {
  readonly node: (name: string) => string;
  readonly relationship: (name: string) => string;
  /** What a step that reads rows takes from outside. */
  readonly imports: readonly string[];
}

const accessOf = (aliases: readonly string[], { upsertNodes }: Writes): ElementAccess => {
  const made = new Map(
    upsertNodes.flatMap((entry, index) =>
      entry.kind === "new" ? [[entry.name, `__n${index}`] as const] : [],
    ),
  );
  const inRow = (name: string): string => {
    const index = aliases.indexOf(name);
    if (index < 0) throw new Error(`${name} is in no row`);
    return `__r[${index}]`;
  };
  return {
    node: (name) => made.get(name) ?? inRow(name),
    relationship: inRow,
    imports: ["__rows", ...made.values()],
  };
};

/** True when the steps have to say what is wrong: too many rows, elements of the platform, an identity that moves. */
const refusal = ({ upsertNodes, upsertRelationships }: Writes, access: ElementAccess): string => {
  const tests = [
    ...upsertNodes.flatMap(({ kind, name }) =>
      kind === "existing"
        ? [`coalesce(split(${access.node(name)}.${keyField}, "/")[1] STARTS WITH "_", false)`]
        : [],
    ),
    ...upsertRelationships.flatMap(({ kind, name }, index) => {
      if (kind === "new") return [];
      const r = access.relationship(name);
      return [`coalesce(type(${r}) STARTS WITH "_", false)`, isMoved(r, valueOf(`r${index}`))];
    }),
  ];
  const any = tests.length === 0 ? "" : ` OR any(__r IN __found WHERE ${tests.join(" OR ")})`;
  return `size(__found) > ${maxRows}${any}`;
};

const subquery = (call: string, imports: readonly string[], lines: readonly string[]): readonly string[] => [
  `${call} (${imports.join(", ")}) {`,
  indent(lines.join("\n")),
  "}",
];

const upsertNode = (
  entry: NodeUpsert,
  index: number,
  { node }: ElementAccess,
  pk: ProjectKey,
): readonly string[] => {
  const value = valueOf(`n${index}`);
  if (entry.kind === "new")
    return subquery(
      "OPTIONAL CALL",
      ["__rows"],
      ["WITH * WHERE size(__rows) > 0", ...setNewNode(entry, pk, value), `RETURN n AS ${node(entry.name)}`],
    );
  return subquery(
    "CALL",
    ["__rows"],
    [
      "UNWIND __rows AS __r",
      `WITH DISTINCT ${node(entry.name)} AS n ORDER BY n.${keyField} WHERE n IS NOT NULL`,
      setExistingNode(value),
      `RETURN collect(n.${keyField}) AS __wn${index}`,
    ],
  );
};

const upsertRelationship = (
  entry: RelationshipUpsert,
  index: number,
  { node, relationship, imports }: ElementAccess,
): readonly string[] => {
  const value = valueOf(`r${index}`);
  const lines =
    entry.kind === "new"
      ? [
          `WITH DISTINCT ${node(entry.source)} AS a, ${node(entry.target)} AS b`,
          `  ORDER BY a.${keyField}, b.${keyField} WHERE a IS NOT NULL AND b IS NOT NULL`,
          ...setNewRelationship(entry, value),
        ]
      : [
          `WITH DISTINCT ${relationship(entry.name)} AS r ORDER BY elementId(r) WHERE r IS NOT NULL`,
          setExistingRelationship(value),
        ];
  return subquery("CALL", imports, ["UNWIND __rows AS __r", ...lines, `RETURN count(*) AS __wr${index}`]);
};

/** The page after every upsert: for each of its rows a list, of its number and its values in the columns' order. */
const projection = (
  query: KnowledgeQuery,
  writes: Writes,
  access: ElementAccess,
  pk: ProjectKey,
): readonly string[] => {
  const made = writes.upsertRelationships.flatMap((entry, index) =>
    entry.kind === "new" && query.relationships.some(({ alias }) => alias === entry.name)
      ? [{ entry, index }]
      : [],
  );
  const nodes = [
    ...query.nodes.map(({ alias }) => alias),
    ...made.flatMap(({ entry }) => [entry.source, entry.target]),
  ];
  const relationships = query.relationships
    .map(({ alias }) => alias)
    .filter((alias) => made.every(({ entry }) => entry.name !== alias));
  const inRow = [
    ...[...new Set(nodes)].map((name) => `${access.node(name)} AS ${quoteName(name)}`),
    ...[...new Set(relationships)].map((name) => `${access.relationship(name)} AS ${quoteName(name)}`),
  ];
  const found = made.map(({ entry: { name, source, target, type }, index }) => {
    const pattern = `(${quoteName(source)})-[__e:${quoteName(type)}]->(${quoteName(target)})`;
    return `head([${pattern} WHERE __e.${discriminator} = ${valueOf(`r${index}`)("d")} | __e]) AS ${quoteName(name)}`;
  });
  return subquery("CALL", access.imports, [
    "UNWIND range($skip, $skip + $take - 1) AS __i",
    "WITH *, __rows[__i] AS __r WHERE __r IS NOT NULL",
    `WITH ${["__i", ...inRow].join(", ")}`,
    ...(found.length === 0 ? [] : [`WITH *, ${found.join(", ")}`]),
    `RETURN collect([${["__i", ...columnsOf(query, pk).map((column) => printValue(column, "plain"))].join(", ")}]) AS __shown`,
  ]);
};

const keysOfNodes = ({ upsertNodes }: Writes, { node }: ElementAccess): string =>
  upsertNodes.length === 0
    ? "[]"
    : upsertNodes
        .map(({ kind, name }, index) => (kind === "new" ? `[${node(name)}.${keyField}]` : `__wn${index}`))
        .join(" + ");

const linksOf = ({ upsertRelationships }: Writes): string =>
  upsertRelationships.length === 0
    ? "0"
    : upsertRelationships.map((_entry, index) => `__wr${index}`).join(" + ");

/**
 * Prints a writing query of few upserts as one statement, for most executions: match, upserts and projection in the
 * order of the steps, each complete before the next. The rows are collected before the first write.
 *
 * Takes `$__row` as the match does, `skip`, `take`, `now`, and `w`: by entry `n0` …, `r0` … what its step would take.
 * One row: `refused`, true when nothing was written because the steps have to report why, `shown`, the rows of the page,
 * `nodes`, keys of the nodes that were written (null for a new one when there are no rows), and `links`, how many relationships were.
 *
 * @returns undefined for a query that only its steps can carry out: it deletes, it has too many entries, or it shows
 *   what a WITH bound, which is as it was before the upserts.
 */
export const atOnceText = (query: KnowledgeQuery, writes: Writes, pk: ProjectKey): string | undefined => {
  const { upsertNodes, upsertRelationships, deleteNodes, deleteRelationships } = writes;
  if (deleteNodes.length + deleteRelationships.length + query.aggregates.length > 0) return undefined;
  if (upsertNodes.length + upsertRelationships.length > maxUpsertsAtOnce) return undefined;
  const { nodes, relationships } = writtenAliases(query, writes);
  const aliases = [...nodes, ...relationships];
  const access = accessOf(aliases, writes);
  return [
    ...matchLines(query, pk),
    `WITH collect([${aliases.map(quoteName).join(", ")}]) AS __found`,
    `WITH __found, ${refusal(writes, access)} AS __refused`,
    "WITH __refused, CASE WHEN __refused THEN [] ELSE __found END AS __rows",
    ...upsertNodes.flatMap((entry, index) => upsertNode(entry, index, access, pk)),
    ...upsertRelationships.flatMap((entry, index) => upsertRelationship(entry, index, access)),
    ...projection(query, writes, access, pk),
    `RETURN __refused AS refused, __shown AS shown, ${keysOfNodes(writes, access)} AS nodes, ${linksOf(writes)} AS links`,
  ].join("\n");
};
