/** Changes of the policies of a drive, and what is known of them from the data themselves. */
import type { ChangeSetEntry } from "@ikg/client";
import type { Drive } from "../drive/drive.ts";

export type Put = Extract<ChangeSetEntry, { op: "put"; collection: "authorization-policies" }>;
export type Change = Put | Extract<ChangeSetEntry, { op: "delete" }>;

interface Text {
  readonly subject: string;
  readonly action: string;
  readonly resource: string;
  readonly cypher: string;
}

export const put = (name: string, { subject, action, resource, cypher }: Text): Put => ({
  op: "put",
  collection: "authorization-policies",
  name,
  record: {
    status: "ACTIVE",
    policy: {
      meta: { policy_version: "2.0-kbac" },
      subject: { type: subject },
      actions: [action],
      resource: { type: resource },
      condition: { cypher },
    },
  },
});

const ofDocuments = (action: string, cypher: string): Text => ({
  subject: "Person",
  action,
  resource: "Document",
  cypher,
});
const owned = "MATCH (subject:Person)-[:OWNS]->(resource:Document)";

/** One of the three rules of VIEW becomes narrower. */
export const narrowOne: readonly Change[] = [
  put(
    "view-own",
    ofDocuments("VIEW", `${owned} WHERE resource.property.level <= subject.property.clearance`),
  ),
];

/** A new rule with about 10^5 pairs on a drive of 10^6 nodes. */
export const grantFew: readonly Change[] = [
  put(
    "read-highest",
    ofDocuments("READ", `${owned} WHERE resource.property.level = 5 AND subject.property.clearance <= 2`),
  ),
];

/** A rule that afterwards grants everything that is owned: 1.2 * 10^6 pairs on a drive of 10^6 nodes. */
export const grantMany: readonly Change[] = [put("read-own", ofDocuments("READ", owned))];

/** The rule with the most pairs goes. */
export const takeMost: readonly Change[] = [
  { op: "delete", collection: "authorization-policies", name: "view-shared-with-group" },
];

/** Every document is a subject: nearly 10^6 of them on a drive of 10^6 nodes. */
export const manySubjects: readonly Change[] = [
  put("lies-in", {
    subject: "Document",
    action: "LIE_IN",
    resource: "Folder",
    cypher: "MATCH (subject:Document)-[:CHILD_OF]->(resource:Folder)",
  }),
];

/** Pairs of a person and a document that she owns, of which something holds. */
const ownedPairs = (
  { ownersOfDocument, levelOfDocument, clearance }: Drive,
  holds: (level: number, clearance: number) => boolean,
): number =>
  ownersOfDocument.reduce(
    (sum, owners, document) =>
      sum + owners.filter((person) => holds(levelOfDocument[document] ?? 0, clearance[person] ?? 0)).length,
    0,
  );

/** How many pairs the changes give that nothing gave before. */
export const gainedByFew = (drive: Drive): number =>
  ownedPairs(drive, (level, clearance) => level === 5 && clearance <= 2);
export const gainedByMany = (drive: Drive): number =>
  ownedPairs(drive, (level, clearance) => level > clearance);
export const matchedByMany = (drive: Drive): number => ownedPairs(drive, () => true);
