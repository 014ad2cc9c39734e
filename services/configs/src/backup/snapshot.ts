import { setTimeout as wait } from "node:timers/promises";
import { type Contents, type NodeHashes, openContents } from "./contents.ts";
import { type Element, nodesOf, relationshipsOf } from "./elements.ts";
import { type Held, type NotHeld, withWritersHeld } from "./hold-writers.ts";
import { type Moment, type MomentOf, readMoment } from "./moment.ts";
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

/** Hashes of all elements of a kind, by their numbers, as one reading found them. */
type Reading = Map<string, string>;
interface Readings {
  readonly nodes: Reading;
  readonly relationships: Reading;
}
interface Changing {
  readonly nodes: Set<string>;
  readonly relationships: Set<string>;
}

const hashesOf = async <Line>(elements: AsyncGenerator<Element<Line>>): Promise<Reading> => {
  const reading: Reading = new Map();
  for await (const { id, hash } of elements) reading.set(id, hash);
  return reading;
};

/**
 * Gives the elements of one kind as they were at the moment between two readings: those that both found alike, and those that were
 * read at the moment itself.
 *
 * @param changing takes those of which nothing is known: they have to be read at the next moment.
 */
const takeKind = async <Line>(
  elements: AsyncGenerator<Element<Line>>,
  before: Reading,
  moment: MomentOf<Line> | undefined,
  changing: Set<string>,
  take: (element: Element<Line>) => Promise<void>,
): Promise<Reading> => {
  const after: Reading = new Map();
  for (const element of moment?.read.values() ?? []) await take(element);
  for await (const element of elements) {
    const { id, hash } = element;
    after.set(id, hash);
    // What came after the moment is not part of it.
    if (moment?.read.has(id) === true || moment?.ids.has(id) === false) continue;
    if (before.get(id) === hash) await take(element);
    else changing.add(id);
  }
  for (const id of moment?.ids ?? before.keys())
    if (!after.has(id) && moment?.read.has(id) !== true) changing.add(id);
  return after;
};

/** One copy of a unit, and what the next one needs to know. */
const copyOnce = async (
  { database, hashes, write }: SnapshotParts,
  unit: Unit,
  before: Readings,
  moment: Moment | undefined,
) => {
  const own: NodeHashes = new Map(hashes);
  const contents = openContents(own);
  const changing: Changing = { nodes: new Set(), relationships: new Set() };
  const nodes = await takeKind(
    nodesOf(database, unit),
    before.nodes,
    moment?.nodes,
    changing.nodes,
    async (node) => {
      contents.node(node);
      await write(node.line);
    },
  );
  const relationships = await takeKind(
    relationshipsOf(database, unit),
    before.relationships,
    moment?.relationships,
    changing.relationships,
    async (relationship) => {
      if (contents.relationship(relationship)) await write(relationship.line);
    },
  );
  const isOfOneMoment = changing.nodes.size + changing.relationships.size === 0;
  return {
    contents: contents.result(),
    hashes: own,
    changing,
    isOfOneMoment,
    after: { nodes, relationships },
  };
};

/** Holds the writers of a project to read what only a moment can tell. */
const takeMoment = async (
  { database, now, holdMs }: SnapshotParts,
  unit: Unit,
  project: Project,
  before: Readings,
  often: Changing,
): Promise<Held<Moment> | NotHeld> => {
  const read = () =>
    readMoment(database, unit, now, {
      nodes: (id) => before.nodes.has(id) && !often.nodes.has(id),
      relationships: (id) => before.relationships.has(id) && !often.relationships.has(id),
    });
  let outcome: Held<Moment> | NotHeld = { reason: "it was not tried" };
  for (let number = 0; number < tries && !("value" in outcome); number++) {
    if (number > 0) await wait(pauseMs);
    // Nobody is held while its statements are planned.
    await read().catch(() => undefined);
    outcome = await withWritersHeld(database, project, holdMs, read);
  }
  return outcome;
};

/**
 * Copies a unit as it is at one moment, while others write to it. What two readings find alike was so at every moment between
 * them. When that is not all of it, the writers of a project are held for a moment, in which only what changes often or is new is
 * read; the second reading, when they write again, shows whether the rest was as the first one says.
 */
export const copyUnit = async (parts: SnapshotParts, unit: Unit, project?: Project): Promise<Snapshot> => {
  const { database, write, now } = parts;
  let before: Readings = {
    nodes: await hashesOf(nodesOf(database, unit)),
    relationships: await hashesOf(relationshipsOf(database, unit)),
  };
  const often: Changing = { nodes: new Set(), relationships: new Set() };
  for (let attempt = 0; ; attempt++) {
    const at = now().toISOString();
    const outcome: Held<Moment> | NotHeld | undefined =
      attempt > 0 && project !== undefined
        ? await takeMoment(parts, unit, project, before, often)
        : undefined;
    const held = outcome !== undefined && "value" in outcome ? outcome : undefined;
    await write({ unit: unit.name, attempt });
    const copy = await copyOnce(parts, unit, before, held?.value);
    const copied = { ...copy.contents, unit: unit.name, attempt, held_ms: held?.ms ?? 0 };
    if (copy.isOfOneMoment)
      return { copied: { ...copied, consistent_at: held?.value.at ?? at }, hashes: copy.hashes };
    if (attempt + 1 === attempts) {
      const why = outcome !== undefined && "reason" in outcome ? outcome : {};
      return { copied: { ...copied, ...why }, hashes: copy.hashes };
    }
    for (const id of copy.changing.nodes) often.nodes.add(id);
    for (const id of copy.changing.relationships) often.relationships.add(id);
    before = copy.after;
  }
};
