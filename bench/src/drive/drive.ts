/**
 * The data set "drive": organizations of the same size, each with persons, nested groups, one tree of folders of depth
 * 8, and documents. A tenth of all ownership, membership and sharing goes beyond the organization. The sizes differ in
 * the number of organizations alone.
 */
import type { Size } from "../options.ts";
import { type Random, seeded } from "../random.ts";
import type { Graph } from "./graph.ts";

const organizations: Readonly<Record<Size, number>> = { S: 10, M: 100, L: 1_000 };

/** Of one organization: a thousand nodes with itself. */
const each = { persons: 100, groups: 20, folders: 50, documents: 829 } as const;

const folderDepth = 8;
const groupDepth = 4;
const levels = 5;
/** Folders nearer to the root are shared with persons only, or groups would see nearly everything. */
const sharedFromDepth = 3;

/** Memberships by number; `-1` stands for none. */
export interface Drive {
  readonly organizations: number;
  readonly clearance: readonly number[];
  readonly groupsOfPerson: readonly (readonly number[])[];
  readonly parentOfGroup: readonly number[];
  readonly parentOfFolder: readonly number[];
  readonly personsOfFolder: readonly (readonly number[])[];
  readonly groupsOfFolder: readonly (readonly number[])[];
  readonly folderOfDocument: readonly number[];
  readonly ownersOfDocument: readonly (readonly number[])[];
  readonly levelOfDocument: readonly number[];
}

export const perOrganization = each;

const list = <T>(length: number, make: (n: number) => T): T[] => Array.from({ length }, (_, n) => make(n));

/** Numbers within an organization, or one time in ten within all of them. */
const near = (random: Random, organization: number, size: number, all: number): number =>
  random.integer(10) === 0 ? random.integer(size * all) : organization * size + random.integer(size);

const some = (count: number, draw: () => number): readonly number[] => [...new Set(list(count, draw))];

/** A forest in which number `n` hangs below an earlier one of its organization; the first `spine` are one path. */
const forest = (random: Random, size: number, all: number, depth: number, spine: number, roots: number) => {
  const depths: number[] = [];
  const parents = list(size * all, (n) => {
    const at = n % size;
    const start = n - at;
    if (at === 0 || (at >= spine && random.integer(100) < roots)) {
      depths.push(1);
      return -1;
    }
    let parent = at < spine ? n - 1 : start + random.integer(at);
    while ((depths[parent] ?? 0) >= depth) parent = start + random.integer(at);
    depths.push((depths[parent] ?? 0) + 1);
    return parent;
  });
  return { parents, depths };
};

/** The same seed and size give the same drive. */
export const makeDrive = (size: Size, seed: number): Drive => {
  const random = seeded(seed);
  const all = organizations[size];
  const folders = forest(random, each.folders, all, folderDepth, folderDepth, 0);
  const groups = forest(random, each.groups, all, groupDepth, groupDepth, 25);
  const organizationOf = (n: number, of: number): number => Math.floor(n / of);
  const person = (organization: number) => () => near(random, organization, each.persons, all);
  const group = (organization: number) => () => near(random, organization, each.groups, all);
  return {
    organizations: all,
    clearance: list(each.persons * all, () => 1 + random.integer(levels)),
    groupsOfPerson: list(each.persons * all, (n) =>
      some(1 + random.integer(3), group(organizationOf(n, each.persons))),
    ),
    parentOfGroup: groups.parents,
    parentOfFolder: folders.parents,
    personsOfFolder: list(each.folders * all, (n) => some(2, person(organizationOf(n, each.folders)))),
    groupsOfFolder: list(each.folders * all, (n) =>
      (folders.depths[n] ?? 0) >= sharedFromDepth && random.integer(3) === 0
        ? [group(organizationOf(n, each.folders))()]
        : [],
    ),
    folderOfDocument: list(
      each.documents * all,
      (n) => organizationOf(n, each.documents) * each.folders + random.integer(each.folders),
    ),
    ownersOfDocument: list(each.documents * all, (n) =>
      some(1 + random.integer(2), person(organizationOf(n, each.documents))),
    ),
    levelOfDocument: list(each.documents * all, () => 1 + random.integer(levels)),
  };
};

const toOne = (parents: readonly number[]): (readonly [number, number])[] =>
  parents.flatMap((parent, n) => (parent < 0 ? [] : [[n, parent] as const]));

const toMany = (targets: readonly (readonly number[])[]): (readonly [number, number])[] =>
  targets.flatMap((found, n) => found.map((target) => [n, target] as const));

const turned = (pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] =>
  pairs.map(([a, b]) => [b, a] as const);

export const driveGraph = (drive: Drive): Graph => ({
  nodes: [
    { type: "Organization", count: drive.organizations, properties: (n) => ({ name: `Organization ${n}` }) },
    {
      type: "Person",
      count: drive.clearance.length,
      properties: (n) => ({ name: `Person ${n}`, clearance: drive.clearance[n] ?? 0 }),
    },
    { type: "Group", count: drive.parentOfGroup.length, properties: (n) => ({ name: `Group ${n}` }) },
    { type: "Folder", count: drive.parentOfFolder.length, properties: (n) => ({ name: `Folder ${n}` }) },
    {
      type: "Document",
      count: drive.folderOfDocument.length,
      properties: (n) => ({ title: `Document ${n}`, level: drive.levelOfDocument[n] ?? 0 }),
    },
  ],
  relationships: [
    {
      type: "WORKS_FOR",
      source: "Person",
      target: "Organization",
      pairs: drive.clearance.map((_, n) => [n, Math.floor(n / each.persons)]),
    },
    { type: "MEMBER_OF", source: "Person", target: "Group", pairs: toMany(drive.groupsOfPerson) },
    { type: "MEMBER_OF", source: "Group", target: "Group", pairs: toOne(drive.parentOfGroup) },
    { type: "CHILD_OF", source: "Folder", target: "Folder", pairs: toOne(drive.parentOfFolder) },
    { type: "CHILD_OF", source: "Document", target: "Folder", pairs: toOne(drive.folderOfDocument) },
    { type: "SHARED_WITH", source: "Folder", target: "Person", pairs: toMany(drive.personsOfFolder) },
    { type: "SHARED_WITH", source: "Folder", target: "Group", pairs: toMany(drive.groupsOfFolder) },
    { type: "OWNS", source: "Person", target: "Document", pairs: turned(toMany(drive.ownersOfDocument)) },
  ],
});
