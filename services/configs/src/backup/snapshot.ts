import { type Contents, type NodeHashes, openContents } from "./contents.ts";
import { type Element, nodesOf, relationshipsOf } from "./elements.ts";
import { type Held, withWritersHeld } from "./hold-writers.ts";
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
}

export interface SnapshotParts {
  readonly database: RawDatabase;
  /** Of what was read before. */
  readonly hashes: NodeHashes;
  readonly write: (line: object) => Promise<void>;
  readonly now: () => Date;
}

/** A copy, and the hashes of its nodes. */
export interface Snapshot {
  readonly copied: Copied;
  readonly hashes: NodeHashes;
}

const attempts = 12;

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
    let at = now().toISOString();
    let held: Held<Moment> | undefined;
    if (attempt > 0 && project !== undefined) {
      const known = before;
      held = await withWritersHeld(database, project, () =>
        readMoment(database, unit, now, {
          nodes: (id) => known.nodes.has(id) && !often.nodes.has(id),
          relationships: (id) => known.relationships.has(id) && !often.relationships.has(id),
        }),
      );
      at = held?.value.at ?? at;
    }
    await write({ unit: unit.name, attempt });
    const copy = await copyOnce(parts, unit, before, held?.value);
    const copied = { ...copy.contents, unit: unit.name, attempt, held_ms: held?.ms ?? 0 };
    if (copy.isOfOneMoment) return { copied: { ...copied, consistent_at: at }, hashes: copy.hashes };
    if (attempt + 1 === attempts) return { copied, hashes: copy.hashes };
    for (const id of copy.changing.nodes) often.nodes.add(id);
    for (const id of copy.changing.relationships) often.relationships.add(id);
    before = copy.after;
  }
};
