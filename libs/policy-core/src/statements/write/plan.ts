import { nodeKey } from "@ikg/physical";
import type { BoundStatement } from "./bound-statement.ts";
import { effectsOf, type WriteEffects } from "./effects.ts";
import { elementsOf, pairText, type Elements, type Row } from "./elements.ts";
import type { BoundUpserts } from "./fields.ts";
import { locksOf } from "./locks.ts";
import type { WriteStatements } from "./statements.ts";

/** An upsert, and how many elements it must find; fewer means that another writer deleted some meanwhile. */
export interface UpsertStatement extends BoundStatement {
  readonly elements: number;
  /** The name of a new relationship, and the ends of each numbered row. */
  readonly newRelationship?: {
    readonly name: string;
    readonly pairs: readonly (readonly [string, string])[];
  };
}

/** How many distinct nodes or relationships one entry of a query writes. */
export interface EntryWrites {
  readonly list: "upsert_nodes" | "upsert_relationships" | "delete_nodes" | "delete_relationships";
  /** The name of an upsert, the path of a delete. */
  readonly entry: string;
  readonly elements: number;
}

/** The statements of one execution after its match, by the numbered steps of docs/decisions/0009-write-steps.md. */
export interface WritePlan {
  /** Before step 2 of an execution that met a deadlock; see `locksOf`. */
  readonly locks: BoundStatement;
  /** Step 2. */
  readonly nodes: readonly UpsertStatement[];
  /** Step 3. */
  readonly relationships: readonly UpsertStatement[];
  /**
   * Step 4 for the rows of a page; undefined when the page is empty, or the query shows neither nodes nor relationships.
   *
   * @param first the number of the page's first row among all rows; it numbers the answers as well.
   * @param answers what each statement of `relationships` answered.
   */
  projection(
    first: number,
    page: readonly Row[],
    answers: readonly (readonly Row[])[],
  ): BoundStatement | undefined;
  /** Step 5. */
  readonly deletes: readonly BoundStatement[];
  /** The writes of every entry of the query, those without elements included. */
  written(): readonly EntryWrites[];
  effects(): WriteEffects;
}

/** Inputs of a plan that are not in the query: the time of the request and gids of nodes that it creates. */
export interface WriteContext {
  /** RFC 3339 in UTC with milliseconds. */
  readonly now: string;
  readonly newNodeId: () => string;
  /** Names of stored fields that resolvers read of the nodes that are shown. */
  readonly resolverFields?: readonly string[] | undefined;
}

const nodeUpserts = (
  { writes, nodes }: WriteStatements,
  bound: BoundUpserts,
  elements: Elements,
  { now, newNodeId }: WriteContext,
): readonly UpsertStatement[] =>
  writes.upsertNodes.flatMap((entry, index): UpsertStatement[] => {
    const [text, values] = [nodes[index], bound.nodes[index]];
    const keys = elements.keys(entry.name);
    if (text === undefined || values === undefined || keys.length === 0) return [];
    const { fields, externalId } = values;
    if (entry.kind === "existing") return [{ text, params: { keys, fields, now }, elements: keys.length }];
    const [k] = keys;
    const params = { k, id: newNodeId(), type: entry.type, x: externalId, fields, now };
    return [{ text, params, elements: 1 }];
  });

const relationshipUpserts = (
  { writes, relationships }: WriteStatements,
  bound: BoundUpserts,
  elements: Elements,
  now: string,
): readonly UpsertStatement[] =>
  writes.upsertRelationships.flatMap((entry, index): UpsertStatement[] => {
    const [text, values] = [relationships[index], bound.relationships[index]];
    if (text === undefined || values === undefined) return [];
    const { fields, discriminator, discriminators } = values;
    if (entry.kind === "existing") {
      const ids = elements.ids(entry.name);
      if (ids.length === 0) return [];
      return [{ text, params: { ids, fields, discriminators, now }, elements: ids.length }];
    }
    const pairs = elements.pairs(entry.source, entry.target);
    if (pairs.length === 0) return [];
    const rows = pairs.map(([a, b], i) => ({ i, a, b }));
    const newRelationship = { name: entry.name, pairs };
    return [
      { text, params: { rows, d: discriminator, fields, now }, elements: pairs.length, newRelationship },
    ];
  });

const boundDeletes = (
  { deletes }: WriteStatements,
  elements: Elements,
  now: string,
): readonly BoundStatement[] =>
  deletes.flatMap(({ text, of, alias, fixed }): BoundStatement[] => {
    const found = of === "node" ? elements.keys(alias) : elements.ids(alias);
    if (found.length === 0) return [];
    return [{ text, params: { ...fixed, now, [of === "node" ? "keys" : "ids"]: found } }];
  });

const writtenBy = ({ writes, deletes }: WriteStatements, elements: Elements): readonly EntryWrites[] => [
  ...writes.upsertNodes.map(({ kind, name }): EntryWrites => {
    // All rows make one and the same new node.
    const found = elements.keys(name).length;
    return { list: "upsert_nodes", entry: name, elements: kind === "new" ? Math.min(1, found) : found };
  }),
  ...writes.upsertRelationships.map((entry): EntryWrites => {
    const { kind, name } = entry;
    const found = kind === "new" ? elements.pairs(entry.source, entry.target) : elements.ids(name);
    return { list: "upsert_relationships", entry: name, elements: found.length };
  }),
  ...deletes.map(({ of, alias, path }): EntryWrites => {
    const [list, found] =
      of === "node"
        ? (["delete_nodes", elements.keys(alias)] as const)
        : (["delete_relationships", elements.ids(alias)] as const);
    return { list, entry: path, elements: found.length };
  }),
];

/** Parameters of `atOnceText`. */
export const atOnceValues = (
  { pk, writes }: WriteStatements,
  bound: BoundUpserts,
  { now, newNodeId }: WriteContext,
): Readonly<Record<string, unknown>> => {
  const w: Record<string, unknown> = {};
  writes.upsertNodes.forEach((entry, index) => {
    const { fields, externalId } = bound.nodes[index] ?? {};
    w[`n${index}`] =
      entry.kind === "new" && externalId !== undefined
        ? { k: nodeKey(pk, entry.type, externalId), id: newNodeId(), type: entry.type, x: externalId, fields }
        : { fields };
  });
  bound.relationships.forEach(({ fields, discriminator, discriminators }, index) => {
    w[`r${index}`] = { d: discriminator, discriminators, fields };
  });
  return { w, now };
};

/**
 * Plans the statements of one execution for the rows that its match found: each element once, in a fixed order.
 *
 * @returns the plan, or the text of the 422 when the rows hold nodes or relationships of the platform that the
 *   query would change.
 */
export const planWrites = (
  statements: WriteStatements,
  bound: BoundUpserts,
  rows: readonly Row[],
  context: WriteContext,
):
  | { readonly ok: true; readonly value: WritePlan }
  | { readonly ok: false; readonly faults: readonly string[] } => {
  const elements = elementsOf(statements, bound, rows);
  if (elements.fault !== undefined) return { ok: false, faults: [elements.fault] };
  const { match, projection, writes } = statements;
  const relationships = relationshipUpserts(statements, bound, elements, context.now);

  /** Element ids of the new relationships, by name and ends. */
  const idsOf = (answers: readonly (readonly Row[])[]): ReadonlyMap<string, ReadonlyMap<string, unknown>> => {
    const ids = new Map<string, Map<string, unknown>>();
    relationships.forEach(({ newRelationship }, index) => {
      if (newRelationship === undefined) return;
      const byEnds = new Map<string, unknown>();
      for (const { i, e } of answers[index] ?? []) {
        const pair = newRelationship.pairs[Number(i)];
        if (pair !== undefined) byEnds.set(pairText(...pair), e);
      }
      ids.set(newRelationship.name, byEnds);
    });
    return ids;
  };

  const plan: WritePlan = {
    locks: locksOf(statements, elements),
    nodes: nodeUpserts(statements, bound, elements, context),
    relationships,
    projection: (first, page, answers) => {
      if (projection === undefined || page.length === 0) return undefined;
      const ids = idsOf(answers);
      const relationshipId = (name: string, row: Row): unknown => {
        const known = match.relationships.get(name);
        if (known !== undefined) return row[known.id] ?? null;
        const entry = writes.upsertRelationships.find((each) => each.name === name);
        if (entry?.kind !== "new") return null;
        const [a, b] = [elements.node(entry.source, row), elements.node(entry.target, row)];
        return a === undefined || b === undefined ? null : (ids.get(name)?.get(pairText(a, b)) ?? null);
      };
      const shown = page.map((row, index) => ({
        i: first + index,
        n: Object.fromEntries(projection.nodes.map((name) => [name, elements.node(name, row) ?? null])),
        r: Object.fromEntries(projection.relationships.map((name) => [name, relationshipId(name, row)])),
        ...(context.resolverFields === undefined ? {} : { resolverFields: context.resolverFields }),
      }));
      return { text: projection.text, params: { rows: shown } };
    },
    deletes: boundDeletes(statements, elements, context.now),
    written: () => writtenBy(statements, elements),
    effects: () => effectsOf(writes, elements),
  };
  return { ok: true, value: plan };
};
