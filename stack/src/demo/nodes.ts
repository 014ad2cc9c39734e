/**
 * A film archive: who works there, what it keeps, and where. Old film is dangerous and fragile: cellulose nitrate
 * burns even under water, and every film shrinks until no projector can hold it. So "who may do what with which
 * reel" is a question with consequences.
 */
import type { NodeInput, PropertyInput } from "./graph.ts";
import { property } from "./graph.ts";

/** How far a nitrate certificate can be trusted: 3 examined by the fire brigade, 2 seen on paper, 1 self-declared. */
interface Certificate {
  readonly level: 1 | 2 | 3;
  readonly source: string;
  readonly verified: string;
}

const examined = (verified: string): Certificate => ({ level: 3, source: "Harbour Fire Brigade", verified });
const onPaper = (verified: string): Certificate => ({ level: 2, source: "Copy of the paper", verified });
const selfDeclared = (verified: string): Certificate => ({ level: 1, source: "Staff form", verified });

const certificateProperty = ({ level, source, verified }: Certificate): PropertyInput =>
  property("nitrate_certificate", true, {
    verified_time: `${verified}T09:00:00Z`,
    source,
    assurance_level: level,
  });

const archivist = (id: string, name: string, joined: number, certificate?: Certificate): NodeInput => ({
  type: "Archivist",
  external_id: id,
  is_identity: true,
  properties: [
    property("name", name),
    property("joined", joined),
    ...(certificate === undefined ? [] : [certificateProperty(certificate)]),
  ],
});

const collection = (id: string, name: string, from: number, to: number): NodeInput => ({
  type: "Collection",
  external_id: id,
  properties: [property("name", name), property("from_year", from), property("to_year", to)],
});

type Rights = "public domain" | "in copyright";

const film = (id: string, title: string, year: number, rights: Rights): NodeInput => ({
  type: "Film",
  external_id: id,
  properties: [
    property("title", title),
    property("year", year),
    property("public_domain", rights === "public domain", {
      verified_time: "2025-11-03T10:00:00Z",
      source: "Rights register",
      assurance_level: rights === "public domain" ? 3 : 2,
    }),
  ],
});

type Base = "nitrate" | "acetate" | "polyester";
type Gauge = "Pitch gauge" | "Rewind bench";

/** `shrinkage` in percent of the pitch of new film, as measured with the instrument named. */
const reel = (id: string, base: Base, metres: number, shrinkage: number, gauge: Gauge): NodeInput => ({
  type: "Reel",
  external_id: id,
  properties: [
    property("base", base, { source: "Edge marking", assurance_level: 2 }),
    property("length_m", metres),
    property("shrinkage", shrinkage, {
      verified_time: gauge === "Pitch gauge" ? "2026-05-18T13:30:00Z" : "2024-09-02T08:15:00Z",
      source: gauge,
      assurance_level: gauge === "Pitch gauge" ? 3 : 1,
      custom_metadata: { frames_measured: gauge === "Pitch gauge" ? 200 : 20 },
    }),
  ],
});

const vault = (
  id: string,
  name: string,
  celsius: number,
  humidity: number,
  fireproof: boolean,
): NodeInput => ({
  type: "Vault",
  external_id: id,
  properties: [
    property("name", name),
    property("temperature", celsius, {
      verified_time: "2026-06-01T04:00:00Z",
      source: "Climate sensor",
      custom_metadata: { calibrated: true },
    }),
    property("humidity", humidity),
    property("fireproof", fireproof),
  ],
});

const gauge: Gauge = "Pitch gauge";
const bench: Gauge = "Rewind bench";

export const nodes: readonly NodeInput[] = [
  archivist("noor", "Noor Haddad", 2011, examined("2026-03-12")),
  archivist("pavel", "Pavel Novak", 2024, selfDeclared("2026-02-01")),
  archivist("ingrid", "Ingrid Solheim", 2016),
  archivist("hana", "Hana Kim", 2019),
  archivist("elias", "Elias Brandt", 2003, examined("2025-10-07")),
  archivist("mei", "Mei Tanaka", 2014, examined("2026-03-12")),
  archivist("jonas", "Jonas Weber", 2021),
  archivist("sofia", "Sofia Marini", 2018, onPaper("2023-06-20")),
  archivist("tomas", "Tomas Okafor", 2009, examined("2025-10-07")),
  archivist("amara", "Amara Diallo", 2013),
  archivist("luis", "Luis Carvalho", 2022),
  archivist("freya", "Freya Lindqvist", 2017, onPaper("2022-01-31")),

  collection("coastal-newsreels", "Coastal Newsreels", 1921, 1938),
  collection("silent-comedies", "Silent Comedies", 1916, 1927),
  collection("polar-expeditions", "Polar Expeditions", 1924, 1951),
  collection("home-movies", "Home Movies", 1948, 1979),
  collection("workshop-animation", "Workshop Animation", 1946, 1970),

  film("harbour-in-fog", "Harbour in Fog", 1924, "public domain"),
  film("herring-fleet", "The Herring Fleet", 1927, "public domain"),
  film("lighthouse-keepers", "Lighthouse Keepers", 1931, "in copyright"),
  film("regatta-day", "Regatta Day", 1936, "in copyright"),
  film("clockmakers-umbrella", "The Clockmaker's Umbrella", 1919, "public domain"),
  film("two-left-shoes", "Two Left Shoes", 1922, "public domain"),
  film("reluctant-tenor", "The Reluctant Tenor", 1925, "in copyright"),
  film("northward", "Northward with the Selma", 1926, "public domain"),
  film("winter-at-the-cape", "Winter at the Cape", 1933, "in copyright"),
  film("ice-cutters", "The Ice Cutters", 1948, "in copyright"),
  film("garden-party", "Garden Party", 1952, "in copyright"),
  film("our-new-tram", "Our New Tram", 1957, "in copyright"),
  film("summer-on-the-island", "Summer on the Island", 1963, "in copyright"),
  film("paper-fox", "The Paper Fox", 1949, "in copyright"),
  film("moon-postman", "Moon Postman", 1961, "in copyright"),
  film("ten-small-kites", "Ten Small Kites", 1968, "in copyright"),

  reel("harbour-in-fog-1", "nitrate", 298, 0.9, gauge),
  reel("harbour-in-fog-2", "nitrate", 285, 1.4, gauge),
  reel("herring-fleet-1", "nitrate", 301, 0.7, gauge),
  reel("herring-fleet-2", "acetate", 301, 0.3, gauge),
  reel("lighthouse-keepers-1", "nitrate", 240, 1.1, bench),
  reel("regatta-day-1", "acetate", 122, 0.5, gauge),
  reel("clockmakers-umbrella-1", "nitrate", 310, 1.6, gauge),
  reel("clockmakers-umbrella-2", "nitrate", 294, 1.8, gauge),
  reel("two-left-shoes-1", "nitrate", 305, 0.8, bench),
  reel("reluctant-tenor-1", "acetate", 290, 0.6, gauge),
  reel("northward-1", "nitrate", 300, 0.8, gauge),
  reel("northward-2", "nitrate", 297, 1.3, gauge),
  reel("northward-3", "acetate", 188, 0.4, gauge),
  reel("winter-at-the-cape-1", "nitrate", 276, 1.0, bench),
  reel("ice-cutters-1", "acetate", 212, 0.7, bench),
  reel("garden-party-1", "acetate", 61, 0.6, gauge),
  reel("our-new-tram-1", "acetate", 61, 0.9, bench),
  reel("summer-on-the-island-1", "acetate", 122, 0.2, gauge),
  reel("summer-on-the-island-2", "polyester", 118, 0, gauge),
  reel("paper-fox-1", "acetate", 145, 0.8, gauge),
  reel("moon-postman-1", "acetate", 160, 0.3, gauge),
  reel("ten-small-kites-1", "polyester", 96, 0, gauge),

  vault("bunker-a", "Bunker A", 3.5, 32, true),
  vault("bunker-b", "Bunker B", 4, 35, true),
  vault("cool-room", "Cool Room", 8, 38, false),
  vault("shelf-hall", "Shelf Hall", 16, 45, false),
  vault("viewing-store", "Viewing Store", 19, 48, false),
];
