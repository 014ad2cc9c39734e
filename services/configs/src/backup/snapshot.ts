import { setTimeout as wait } from "node:timers/promises";
import { type Contents, type NodeHashes, openContents } from "./contents.ts";
import { type Element, type NodeLine, nodesOf, type RelationshipLine, relationshipsOf } from "./elements.ts";
import { type Held, type NotHeld, withWritersHeld } from "./hold-writers.ts";
import { type Moment, readMoment } from "./moment.ts";
import { type Known, openReading, type Reading, type Readings, readUnit } from "./readings.ts";
import type { RawDatabase } from "./source.ts";
import type { Project, Unit } from "./units.ts";

/** How a unit was copied. */
export interface Copied extends Contents {
  readonly unit: string;
  /** Which of its copies in the archive counts; the others are not of one moment. */
  readonly attempt: number;
  /** The moment at which the unit was as it is copied; undefined when none was found. */
  readonly consistent_at?: string;
  /** For how long its writers were held at that moment. */
  readonly held_ms: number;
  /** Why there was no moment; undefined when there was one, or too much changed around it. */
  readonly reason?: string;
}

export interface SnapshotParts {
  readonly database: RawDatabase;
  /** Of what was read before. */
  readonly hashes: NodeHashes;
  readonly write: (line: object) => Promise<void>;
  readonly now: () => Date;
  /** For how long the writers of a project are held at most. */
  readonly holdMs: number;
}

/** A copy, and the hashes of its nodes. */
export interface Snapshot {
  readonly copied: Copied;
  readonly hashes: NodeHashes;
}

const attempts = 12;
/** Moments that are tried between two readings, with pauses in which writers go on. */
const tries = 5;
const pauseMs = 200;

/** How a node was at a moment after which it was written, or removed: as the reading before found it, if it was not written in between. */
const formerOf = (
  id: string,
  { stamps }: Moment,
  before: Known | undefined,
  after: Element<NodeLine> | undefined,
): Element<NodeLine> | undefined => {
  if (before?.text === undefined || before.stamp === undefined) return undefined;
  if (stamps.get(id) !== before.stamp || after?.stamp === before.stamp) return undefined;
  const line = JSON.parse(before.text) as NodeLine; // as the reading before wrote it
  return { id, line, hash: before.hash, stamp: before.stamp };
};

/** A copy under way. */
interface Copying {
  readonly parts: SnapshotParts;
  readonly unit: Unit;
  readonly before: Readings;
  readonly moment: Moment | undefined;
  /** Takes what no reading tells. */
  readonly untold: Set<string>;
}

/** Gives the nodes of a unit as they were at the moment between two readings, and tells the second one. */
const takeNodes = async (
  { parts: { database }, unit, before, moment, untold }: Copying,
  take: (node: Element<NodeLine>) => Promise<void>,
): Promise<Reading> => {
  const { reading, add } = openReading();
  for (const node of moment?.nodes.values() ?? []) await take(node);
  const takeFormer = async (id: string, after?: Element<NodeLine>): Promise<void> => {
    const former = moment && formerOf(id, moment, before.nodes.get(id), after);
    if (former === undefined) untold.add(id);
    else await take(former);
  };
  for await (const node of nodesOf(database, unit)) {
    add(node);
    // What came after the moment is not part of it.
    if (moment?.nodes.has(node.id) === true || moment?.stamps.has(node.id) === false) continue;
    if (before.nodes.get(node.id)?.hash === node.hash) await take(node);
    else await takeFormer(node.id, node);
  }
  for (const id of (moment?.stamps ?? before.nodes).keys())
    if (!reading.has(id) && moment?.nodes.has(id) !== true) await takeFormer(id);
  return reading;
};

/** As `takeNodes`; at a moment all of them were read. */
const takeRelationships = async (
  { parts: { database }, unit, before, moment, untold }: Copying,
  take: (relationship: Element<RelationshipLine>) => Promise<void>,
): Promise<Reading> => {
  if (moment !== undefined) {
    for (const relationship of moment.relationships.values()) await take(relationship);
    return before.relationships;
  }
  const { reading, add } = openReading();
  for await (const relationship of relationshipsOf(database, unit)) {
    add(relationship);
    if (before.relationships.get(relationship.id)?.hash === relationship.hash) await take(relationship);
    else untold.add(relationship.id);
  }
  for (const id of before.relationships.keys()) if (!reading.has(id)) untold.add(id);
  return reading;
};

/** One copy of a unit, and what the next one needs to know. */
const copyOnce = async (copying: Copying) => {
  const { hashes, write } = copying.parts;
  const own: NodeHashes = new Map(hashes);
  const contents = openContents(own);
  const nodes = await takeNodes(copying, async (node) => {
    contents.node(node);
    await write(node.line);
  });
  const relationships = await takeRelationships(copying, async (relationship) => {
    if (contents.relationship(relationship)) await write(relationship.line);
  });
  return { contents: contents.result(), hashes: own, after: { nodes, relationships } };
};

/** Elements of a project at most for which its writers are held. */
const mostElements = 300_000;

/** Holds the writers of a project to read what only a moment can tell. */
const takeMoment = async (
  { database, now, holdMs }: SnapshotParts,
  unit: Unit,
  project: Project,
  before: Readings,
  often: ReadonlySet<string>,
): Promise<Held<Moment> | NotHeld> => {
  if (before.nodes.size + before.relationships.size > mostElements)
    return { reason: `it has more than ${mostElements} nodes and relationships` };
  const read = () =>
    readMoment(database, unit, now, (id, stamp) => {
      const known = before.nodes.get(id);
      return known !== undefined && known.stamp === stamp && !often.has(id);
    });
  let outcome: Held<Moment> | NotHeld = { reason: "it was not tried" };
  for (let number = 0; number < tries && !("value" in outcome); number++) {
    if (number > 0) await wait(pauseMs);
    // No writer is held while its statements are planned.
    await read().catch(() => undefined);
    outcome = await withWritersHeld(database, project, holdMs, read);
  }
  return outcome;
};

/**
 * Copies a unit as it is at one moment, while others write to it. What two readings find alike was so at every moment between
 * them. When that is not all of it, the writers of a project are held for a moment, in which its relationships are read, when
 * each node was written, and the nodes that were since the reading before. The second reading, when they write again, gives
 * the other nodes; one that was written after the moment is as the first one found it.
 */
export const copyUnit = async (parts: SnapshotParts, unit: Unit, project?: Project): Promise<Snapshot> => {
  const { database, write, now } = parts;
  let before = await readUnit(database, unit);
  /** Nodes that change without a word on when: they are read at every moment. */
  const often = new Set<string>();
  for (let attempt = 0; ; attempt++) {
    const at = now().toISOString();
    const outcome: Held<Moment> | NotHeld | undefined =
      attempt > 0 && project !== undefined
        ? await takeMoment(parts, unit, project, before, often)
        : undefined;
    const held = outcome !== undefined && "value" in outcome ? outcome : undefined;
    await write({ unit: unit.name, attempt });
    const untold = new Set<string>();
    const copy = await copyOnce({ parts, unit, before, moment: held?.value, untold });
    const copied = { ...copy.contents, unit: unit.name, attempt, held_ms: held?.ms ?? 0 };
    if (untold.size === 0)
      return { copied: { ...copied, consistent_at: held?.value.at ?? at }, hashes: copy.hashes };
    if (attempt + 1 === attempts) {
      const why = outcome !== undefined && "reason" in outcome ? outcome : {};
      return { copied: { ...copied, ...why }, hashes: copy.hashes };
    }
    if (held !== undefined) for (const id of untold) often.add(id);
    before = copy.after;
  }
};
