/** Questions about a drive: half are allowed, a fifth name a subject or a resource that does not exist. */
import { type Random, seeded } from "../random.ts";
import { zipf } from "../zipf.ts";
import { type Action, answersOf, upwards } from "./answers.ts";
import { type Drive, perOrganization } from "./drive.ts";
import { externalId } from "./graph.ts";

export interface Question {
  readonly action: Action;
  readonly person: string;
  readonly document: string;
  readonly expected: boolean;
  /** attributes for an engine without a lookup of its own; empty for a subject that does not exist */
  readonly attributes: {
    readonly subject: { readonly clearance?: number };
    readonly resource: { readonly owners?: readonly string[]; readonly level?: number };
  };
  /** the AuthZEN request */
  readonly body: string;
}

/** After this many draws another person is drawn. */
const draws = 20;

const grouped = (count: number, keys: readonly (readonly number[])[]): readonly (readonly number[])[] => {
  const found: number[][] = Array.from({ length: count }, () => []);
  keys.forEach((each, n) => each.forEach((key) => found[key]?.push(n)));
  return found;
};

type Draw = (random: Random, person: number) => number | undefined;

const pickFrom = (random: Random, values: readonly number[] | undefined): number | undefined =>
  values === undefined || values.length === 0 ? undefined : random.pick(values);

/** Ways to find a document that a person is likely to view: her own, or one below a folder shared with her or a group. */
const likely = (drive: Drive): Readonly<Record<Action, readonly Draw[]>> => {
  const owned = grouped(drive.clearance.length, drive.ownersOfDocument);
  const sharedWithPerson = grouped(drive.clearance.length, drive.personsOfFolder);
  const sharedWithGroup = grouped(drive.parentOfGroup.length, drive.groupsOfFolder);
  const below = grouped(
    drive.parentOfFolder.length,
    drive.folderOfDocument.map((folder) => [...upwards(drive.parentOfFolder, folder)]),
  );
  const inFolder = (random: Random, folder: number | undefined) =>
    folder === undefined ? undefined : pickFrom(random, below[folder]);
  const own: Draw = (random, person) => pickFrom(random, owned[person]);
  return {
    READ: [own],
    VIEW: [
      own,
      (random, person) => inFolder(random, pickFrom(random, sharedWithPerson[person])),
      (random, person) => {
        const group = pickFrom(random, drive.groupsOfPerson[person]);
        const groups = group === undefined ? [] : [...upwards(drive.parentOfGroup, group)];
        return inFolder(random, pickFrom(random, sharedWithGroup[pickFrom(random, groups) ?? -1]));
      },
    ],
  };
};

const request = (action: Action, person: string, document: string): string =>
  JSON.stringify({
    subject: { type: "Person", id: person },
    action: { name: action },
    resource: { type: "Document", id: document },
  });

/** @returns `count` questions of an action, the same for the same seed */
export const makeQuestions = (drive: Drive, action: Action, count: number, seed: number): Question[] => {
  const random = seeded(seed);
  const subject = zipf(random, drive.clearance.length);
  const answer = answersOf(drive)[action];
  const ways = likely(drive)[action];
  const documents = drive.folderOfDocument.length;
  const owners = (document: number) =>
    (drive.ownersOfDocument[document] ?? []).map((n) => externalId("Person", n));
  const make = (person: number, document: number): Question => {
    const known = { person: person < drive.clearance.length, document: document < documents };
    const names = [externalId("Person", person), externalId("Document", document)] as const;
    return {
      action,
      person: names[0],
      document: names[1],
      expected: answer(person, document),
      attributes: {
        subject: known.person ? { clearance: drive.clearance[person] ?? 0 } : {},
        resource: known.document
          ? { owners: owners(document), level: drive.levelOfDocument[document] ?? 0 }
          : {},
      },
      body: request(action, ...names),
    };
  };
  /** A document of her own organization, which is where most refusals happen. */
  const nearby = (person: number): number =>
    Math.floor(person / perOrganization.persons) * perOrganization.documents +
    random.integer(perOrganization.documents);
  const known = (wanted: boolean): Question => {
    for (;;) {
      const person = subject();
      for (let draw = 0; draw < draws; draw++) {
        const document = wanted ? random.pick(ways)(random, person) : nearby(person);
        if (document !== undefined && answer(person, document) === wanted) return make(person, document);
      }
    }
  };
  const beyond = (size: number): number => size + random.integer(size);
  return Array.from({ length: count }, () => {
    const kind = random.integer(10);
    if (kind < 5) return known(true);
    if (kind < 8) return known(false);
    return kind === 8
      ? make(beyond(drive.clearance.length), random.integer(documents))
      : make(subject(), beyond(documents));
  });
};
