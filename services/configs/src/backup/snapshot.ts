import { setTimeout as wait } from "node:timers/promises";
import { type Contents, type NodeHashes, openContents } from "./contents.ts";
import { type Element, type NodeLine, nodesOf, type RelationshipLine, relationshipsOf } from "./elements.ts";
import { type HoldResult, type HoldFailure, holdWriters } from "./hold-writers.ts";
import { type Moment, readMoment } from "./moment.ts";
import {
  type ElementState,
  openElementStates,
  type ElementStates,
  type UnitStates,
  readUnit,
} from "./element-states.ts";
import type { RawDatabase } from "./source.ts";
import type { Project, Unit } from "./units.ts";

/** The copy of a unit in an archive. */
export interface UnitCopy extends Contents {
  readonly unit: string;
  /** The number of the copy that counts; earlier copies in the archive are not consistent. */
  readonly attempt: number;
  /** The time at which the unit was as copied; undefined when the copy is not consistent. */
  readonly consistent_at?: string;
  /** Time for which its writers were held, in milliseconds. */
  readonly held_ms: number;
  /** Why its writers could not be held; undefined when they were, or when too much changed meanwhile. */
  readonly reason?: string;
}

export interface SnapshotParts {
  readonly database: RawDatabase;
  /** Hashes of the nodes of units that were copied before. */
  readonly hashes: NodeHashes;
  readonly write: (line: object) => Promise<void>;
  readonly now: () => Date;
  /** Longest time for which the writers of a project are held. */
  readonly holdMs: number;
}

/** A copy, and the hashes of its nodes. */
export interface Snapshot {
  readonly copied: UnitCopy;
  readonly hashes: NodeHashes;
}

const attempts = 12;
/** Attempts to hold the writers between two readings, with pauses in which writers proceed. */
const tries = 5;
const pauseMs = 200;

/** A node's state at a moment after which it was written or removed: that of the previous reading, unless it was written in between. */
const formerOf = (
  id: string,
  { stamps }: Moment,
  before: ElementState | undefined,
  after: Element<NodeLine> | undefined,
): Element<NodeLine> | undefined => {
  if (before?.text === undefined || before.stamp === undefined) return undefined;
  if (stamps.get(id) !== before.stamp || after?.stamp === before.stamp) return undefined;
  const line = JSON.parse(before.text) as NodeLine; // as the previous reading wrote it
  return { id, line, hash: before.hash, stamp: before.stamp };
};

/** A copy in progress. */
interface CopyAttempt {
  readonly parts: SnapshotParts;
  readonly unit: Unit;
  readonly before: UnitStates;
  readonly moment: Moment | undefined;
  /** Collects the ids of elements whose state at the moment is unknown. */
  readonly unresolved: Set<string>;
}

/** Copies the nodes of a unit as they were at the moment between two readings. @returns the second reading */
const takeNodes = async (
  { parts: { database }, unit, before, moment, unresolved }: CopyAttempt,
  take: (node: Element<NodeLine>) => Promise<void>,
): Promise<ElementStates> => {
  const { states, add } = openElementStates();
  for (const node of moment?.nodes.values() ?? []) await take(node);
  const takeFormer = async (id: string, after?: Element<NodeLine>): Promise<void> => {
    const former = moment && formerOf(id, moment, before.nodes.get(id), after);
    if (former === undefined) unresolved.add(id);
    else await take(former);
  };
  for await (const node of nodesOf(database, unit)) {
    add(node);
    // Nodes created after the moment are not part of it.
    if (moment?.nodes.has(node.id) === true || moment?.stamps.has(node.id) === false) continue;
    if (before.nodes.get(node.id)?.hash === node.hash) await take(node);
    else await takeFormer(node.id, node);
  }
  for (const id of (moment?.stamps ?? before.nodes).keys())
    if (!states.has(id) && moment?.nodes.has(id) !== true) await takeFormer(id);
  return states;
};

/** As `takeNodes`; relationships are all read at the moment. */
const takeRelationships = async (
  { parts: { database }, unit, before, moment, unresolved }: CopyAttempt,
  take: (relationship: Element<RelationshipLine>) => Promise<void>,
): Promise<ElementStates> => {
  if (moment !== undefined) {
    for (const relationship of moment.relationships.values()) await take(relationship);
    return before.relationships;
  }
  const { states, add } = openElementStates();
  for await (const relationship of relationshipsOf(database, unit)) {
    add(relationship);
    if (before.relationships.get(relationship.id)?.hash === relationship.hash) await take(relationship);
    else unresolved.add(relationship.id);
  }
  for (const id of before.relationships.keys()) if (!states.has(id)) unresolved.add(id);
  return states;
};

/** Copies a unit once. @returns its contents, and the readings that the next attempt compares with */
const copyOnce = async (attempt: CopyAttempt) => {
  const { hashes, write } = attempt.parts;
  const own: NodeHashes = new Map(hashes);
  const contents = openContents(own);
  const nodes = await takeNodes(attempt, async (node) => {
    contents.node(node);
    await write(node.line);
  });
  const relationships = await takeRelationships(attempt, async (relationship) => {
    if (contents.relationship(relationship)) await write(relationship.line);
  });
  return { contents: contents.result(), hashes: own, after: { nodes, relationships } };
};

/** Writers of a project with more elements than this are not held. */
const maxElements = 300_000;

/** Reads a project's moment while its writers are held. */
const takeMoment = async (
  { database, now, holdMs }: SnapshotParts,
  unit: Unit,
  project: Project,
  before: UnitStates,
  often: ReadonlySet<string>,
): Promise<HoldResult<Moment> | HoldFailure> => {
  if (before.nodes.size + before.relationships.size > maxElements)
    return { reason: `it has more than ${maxElements} nodes and relationships` };
  const read = () =>
    readMoment(database, unit, now, (id, stamp) => {
      const known = before.nodes.get(id);
      return known !== undefined && known.stamp === stamp && !often.has(id);
    });
  let outcome: HoldResult<Moment> | HoldFailure = { reason: "it was not tried" };
  for (let number = 0; number < tries && !("value" in outcome); number++) {
    if (number > 0) await wait(pauseMs);
    // Plans the statements in advance, so that writers are not held while they are planned.
    await read().catch(() => undefined);
    outcome = await holdWriters(database, project, holdMs, read);
  }
  return outcome;
};

/**
 * Makes a consistent copy of a unit while it is written to. An element that two readings find unchanged had that state at
 * every moment between them. If others remain, the writers of a project are held while three things are read: its
 * relationships, the time at which each node was last written, and the nodes written since the previous reading. The other nodes
 * come from the second reading, after writers were released; a node written after the moment is copied from the first.
 */
export const copyUnit = async (parts: SnapshotParts, unit: Unit, project?: Project): Promise<Snapshot> => {
  const { database, write, now } = parts;
  let before = await readUnit(database, unit);
  /** Nodes whose changes leave no time of writing: they are read while writers are held. */
  const often = new Set<string>();
  for (let attempt = 0; ; attempt++) {
    const at = now().toISOString();
    const outcome: HoldResult<Moment> | HoldFailure | undefined =
      attempt > 0 && project !== undefined
        ? await takeMoment(parts, unit, project, before, often)
        : undefined;
    const held = outcome !== undefined && "value" in outcome ? outcome : undefined;
    await write({ unit: unit.name, attempt });
    const unresolved = new Set<string>();
    const copy = await copyOnce({ parts, unit, before, moment: held?.value, unresolved });
    const copied = { ...copy.contents, unit: unit.name, attempt, held_ms: held?.ms ?? 0 };
    if (unresolved.size === 0)
      return { copied: { ...copied, consistent_at: held?.value.at ?? at }, hashes: copy.hashes };
    if (attempt + 1 === attempts) {
      const why = outcome !== undefined && "reason" in outcome ? outcome : {};
      return { copied: { ...copied, ...why }, hashes: copy.hashes };
    }
    if (held !== undefined) for (const id of unresolved) often.add(id);
    before = copy.after;
  }
};
