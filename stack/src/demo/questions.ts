/** What the demo asks, what must come back, and why. The answers themselves come from the running services. */
import type { Claims } from "./issuer.ts";

interface Entity {
  readonly type: string;
  readonly id: string;
}

/** May this subject do this action on this resource? */
export interface DecisionQuestion {
  readonly ask: string;
  readonly subject: Entity;
  readonly action: string;
  readonly resource: Entity;
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** claims of the bearer token sent with the question; absent: none is sent */
  readonly token?: Claims;
  readonly expected: boolean;
  readonly why: string;
}

/** On which resources of a type may this subject do this action? */
export interface SearchQuestion {
  readonly ask: string;
  readonly subject: Entity;
  readonly action: string;
  readonly resourceType: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly expected: readonly string[];
  readonly why: string;
}

export interface Column {
  readonly title: string;
  /** `nodes` or `relationships` of a row, and the path in it */
  readonly from: "nodes" | "relationships";
  readonly path: string;
}

/** What does this knowledge query answer? */
export interface QueryQuestion {
  readonly ask: string;
  readonly query: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly token?: Claims;
  readonly columns: readonly Column[];
  /** what the first column must hold, in any order */
  readonly expected: readonly string[];
  readonly why: string;
}

const archivist = (id: string): Entity => ({ type: "Archivist", id });
const film = (id: string): Entity => ({ type: "Film", id });
const reel = (id: string): Entity => ({ type: "Reel", id });

export const decisionQuestions: readonly DecisionQuestion[] = [
  {
    ask: "May Noor describe the film Harbour in Fog?",
    subject: archivist("noor"),
    action: "DESCRIBE",
    resource: film("harbour-in-fog"),
    expected: true,
    why: "She cares for the Coastal Newsreels, and they hold it.",
  },
  {
    ask: "May Noor describe the film Two Left Shoes?",
    subject: archivist("noor"),
    action: "DESCRIBE",
    resource: film("two-left-shoes"),
    expected: false,
    why: "It is in the Silent Comedies; no path leads from Noor to it.",
  },
  {
    ask: "May Noor handle reel 1 of Harbour in Fog?",
    subject: archivist("noor"),
    action: "HANDLE",
    resource: reel("harbour-in-fog-1"),
    expected: true,
    why: "Three hops lead there; nitrate, but the fire brigade examined her (assurance 3).",
  },
  {
    ask: "May Pavel handle reel 1 of Harbour in Fog?",
    subject: archivist("pavel"),
    action: "HANDLE",
    resource: reel("harbour-in-fog-1"),
    expected: false,
    why: "The same hops, but his certificate is only self-declared (assurance 1).",
  },
  {
    ask: "May Pavel handle reel 2 of The Herring Fleet?",
    subject: archivist("pavel"),
    action: "HANDLE",
    resource: reel("herring-fleet-2"),
    expected: true,
    why: "This one is acetate: no certificate needed.",
  },
  {
    ask: "May Noor lend that reel? (no token)",
    subject: archivist("noor"),
    action: "LEND",
    resource: reel("herring-fleet-2"),
    expected: false,
    why: "The policy reads $token.scope.",
  },
  {
    ask: "May Noor lend it? (token for reading)",
    subject: archivist("noor"),
    action: "LEND",
    resource: reel("herring-fleet-2"),
    token: { sub: "noor", scope: "reel:read" },
    expected: false,
    why: "Her token was not issued for lending.",
  },
  {
    ask: "May Noor lend it? (token for lending)",
    subject: archivist("noor"),
    action: "LEND",
    resource: reel("herring-fleet-2"),
    token: { sub: "noor", scope: "reel:read reel:lend" },
    expected: true,
    why: "She is the keeper, and the token carries reel:lend.",
  },
  {
    ask: "May Pavel lend it? (token for lending)",
    subject: archivist("pavel"),
    action: "LEND",
    resource: reel("herring-fleet-2"),
    token: { sub: "pavel", scope: "reel:read reel:lend" },
    expected: false,
    why: "The scope is right, but he is the conservator, not the keeper.",
  },
  {
    ask: "May Ingrid project reel 1 of The Herring Fleet on a projector that takes 0.8 %?",
    subject: archivist("ingrid"),
    action: "PROJECT",
    resource: reel("herring-fleet-1"),
    inputs: { max_shrinkage: 0.8 },
    expected: true,
    why: "The reel has shrunk by 0.7 %; 0.8 came with the question.",
  },
  {
    ask: "And on one that takes 0.6 %?",
    subject: archivist("ingrid"),
    action: "PROJECT",
    resource: reel("herring-fleet-1"),
    inputs: { max_shrinkage: 0.6 },
    expected: false,
    why: "The same reel, the same person; 0.7 is above 0.6.",
  },
];

export const searchQuestions: readonly SearchQuestion[] = [
  {
    ask: "Which reels may Pavel handle?",
    subject: archivist("pavel"),
    action: "HANDLE",
    resourceType: "Reel",
    expected: ["herring-fleet-2", "regatta-day-1"],
    why: "His collection has six reels; without an examined certificate only the two on acetate.",
  },
  {
    ask: "Which reels may Ingrid project on a projector that takes 0.8 %?",
    subject: archivist("ingrid"),
    action: "PROJECT",
    resourceType: "Reel",
    inputs: { max_shrinkage: 0.8 },
    expected: [
      "herring-fleet-1",
      "herring-fleet-2",
      "moon-postman-1",
      "paper-fox-1",
      "regatta-day-1",
      "ten-small-kites-1",
    ],
    why: "From her two collections, those that have shrunk by 0.8 % or less.",
  },
];

const node = (title: string, path: string): Column => ({ title, from: "nodes", path });
const relationship = (title: string, path: string): Column => ({ title, from: "relationships", path });

const myReels: readonly Column[] = [
  node("Reel", "reel.external_id"),
  node("Film", "film.property.title"),
  node("Base", "reel.property.base"),
  node("Shrunk %", "reel.property.shrinkage"),
  node("Measured with", "reel.property.shrinkage.metadata.source"),
  node("Vault", "vault.property.name"),
  relationship("Shelf", "place.shelf"),
];

export const queryQuestions: readonly QueryQuestion[] = [
  {
    ask: "What is in my care? (my-reels, with Noor's token)",
    query: "my-reels",
    inputs: {},
    token: { sub: "noor", scope: "reel:read" },
    columns: myReels,
    expected: [
      "harbour-in-fog-1",
      "harbour-in-fog-2",
      "herring-fleet-1",
      "herring-fleet-2",
      "lighthouse-keepers-1",
      "regatta-day-1",
    ],
    why: "The policy starts at the archivist whose external id equals $token.sub.",
  },
  {
    ask: "The same query with Freya's token",
    query: "my-reels",
    inputs: {},
    token: { sub: "freya", scope: "reel:read" },
    columns: myReels,
    expected: ["moon-postman-1", "paper-fox-1", "ten-small-kites-1"],
    why: "Another token, another person: she keeps the Workshop Animation.",
  },
  {
    ask: "Which films may every visitor see? (public-films, asked by the application)",
    query: "public-films",
    inputs: {},
    columns: [
      node("Film", "film.property.title"),
      node("Year", "film.property.year"),
      node("Collection", "collection.property.name"),
    ],
    expected: [
      "Harbour in Fog",
      "Northward with the Selma",
      "The Clockmaker's Umbrella",
      "The Herring Fleet",
      "Two Left Shoes",
    ],
    why: "The subject is the API key's application; its policy lets out the public domain only.",
  },
  {
    ask: "Which reels have shrunk by more than 1.2 %? (shrunken-reels, limit 1.2)",
    query: "shrunken-reels",
    inputs: { limit: 1.2 },
    columns: [
      node("Reel", "reel.external_id"),
      node("Base", "reel.property.base"),
      node("Shrunk %", "reel.property.shrinkage"),
      node("Verified", "reel.property.shrinkage.metadata.verified_time"),
      node("Vault", "vault.property.name"),
      node("Celsius", "vault.property.temperature"),
    ],
    expected: ["clockmakers-umbrella-1", "clockmakers-umbrella-2", "harbour-in-fog-2", "northward-2"],
    why: "The query's filter compares numbers: shrinkage > $limit. Reels at 1.2 or below stay out.",
  },
  {
    ask: "Whose papers are complete, and how far can they be trusted? (complete-papers)",
    query: "complete-papers",
    inputs: {},
    columns: [
      node("Archivist", "archivist.property.name"),
      node("Trust", "archivist.trust_score._final_score"),
      node("Verified", "archivist.trust_score._verification"),
      node("Origin", "archivist.trust_score._origin"),
      node("Complete", "archivist.trust_score._completeness"),
    ],
    expected: [
      "Noor Haddad",
      "Pavel Novak",
      "Elias Brandt",
      "Mei Tanaka",
      "Sofia Marini",
      "Tomas Okafor",
      "Freya Lindqvist",
    ],
    why: "The profile staff-papers scores archivists once a day; without a nitrate certificate a third is missing.",
  },
];
