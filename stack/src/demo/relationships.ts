/** Who cares for which collection, what it holds, on which reels a film is, and where they lie. */
import type { RelationshipInput } from "./graph.ts";
import { property } from "./graph.ts";

type Duty = "keeper" | "conservator" | "cataloguer" | "projectionist";

const caresFor = (archivist: string, collection: string, duty: Duty, since: number): RelationshipInput => ({
  source: { type: "Archivist", external_id: archivist },
  type: "CARES_FOR",
  target: { type: "Collection", external_id: collection },
  properties: [property("duty", duty), property("since", since)],
});

const holds = (collection: string, ...films: readonly string[]): RelationshipInput[] =>
  films.map((film) => ({
    source: { type: "Collection", external_id: collection },
    type: "HOLDS",
    target: { type: "Film", external_id: film },
  }));

/** A film is on `parts` reels, named after it and numbered from 1. */
const isOn = (film: string, parts: number): RelationshipInput[] =>
  Array.from({ length: parts }, (_, index) => ({
    source: { type: "Film", external_id: film },
    type: "IS_ON",
    target: { type: "Reel", external_id: `${film}-${index + 1}` },
    properties: [property("part", index + 1)],
  }));

/** Shelves are numbered from 1 in the order given. */
const keeps = (vault: string, ...reels: readonly string[]): RelationshipInput[] =>
  reels.map((reel, index) => ({
    source: { type: "Reel", external_id: reel },
    type: "LIES_IN",
    target: { type: "Vault", external_id: vault },
    properties: [property("shelf", index + 1)],
  }));

export const relationships: readonly RelationshipInput[] = [
  caresFor("noor", "coastal-newsreels", "keeper", 2015),
  caresFor("pavel", "coastal-newsreels", "conservator", 2024),
  caresFor("ingrid", "coastal-newsreels", "projectionist", 2016),
  caresFor("ingrid", "workshop-animation", "projectionist", 2020),
  caresFor("hana", "coastal-newsreels", "cataloguer", 2019),
  caresFor("hana", "polar-expeditions", "cataloguer", 2021),
  caresFor("elias", "silent-comedies", "keeper", 2003),
  caresFor("mei", "silent-comedies", "conservator", 2014),
  caresFor("mei", "polar-expeditions", "conservator", 2014),
  caresFor("jonas", "silent-comedies", "cataloguer", 2021),
  caresFor("jonas", "home-movies", "cataloguer", 2022),
  caresFor("sofia", "silent-comedies", "projectionist", 2018),
  caresFor("sofia", "home-movies", "projectionist", 2018),
  caresFor("tomas", "polar-expeditions", "keeper", 2009),
  caresFor("amara", "home-movies", "keeper", 2013),
  caresFor("luis", "home-movies", "conservator", 2022),
  caresFor("freya", "workshop-animation", "keeper", 2017),

  ...holds("coastal-newsreels", "harbour-in-fog", "herring-fleet", "lighthouse-keepers", "regatta-day"),
  ...holds("silent-comedies", "clockmakers-umbrella", "two-left-shoes", "reluctant-tenor"),
  ...holds("polar-expeditions", "northward", "winter-at-the-cape", "ice-cutters"),
  ...holds("home-movies", "garden-party", "our-new-tram", "summer-on-the-island"),
  ...holds("workshop-animation", "paper-fox", "moon-postman", "ten-small-kites"),

  ...isOn("harbour-in-fog", 2),
  ...isOn("herring-fleet", 2),
  ...isOn("lighthouse-keepers", 1),
  ...isOn("regatta-day", 1),
  ...isOn("clockmakers-umbrella", 2),
  ...isOn("two-left-shoes", 1),
  ...isOn("reluctant-tenor", 1),
  ...isOn("northward", 3),
  ...isOn("winter-at-the-cape", 1),
  ...isOn("ice-cutters", 1),
  ...isOn("garden-party", 1),
  ...isOn("our-new-tram", 1),
  ...isOn("summer-on-the-island", 2),
  ...isOn("paper-fox", 1),
  ...isOn("moon-postman", 1),
  ...isOn("ten-small-kites", 1),

  ...keeps(
    "bunker-a",
    "harbour-in-fog-1",
    "harbour-in-fog-2",
    "herring-fleet-1",
    "lighthouse-keepers-1",
    "northward-1",
    "northward-2",
  ),
  ...keeps(
    "bunker-b",
    "clockmakers-umbrella-1",
    "clockmakers-umbrella-2",
    "two-left-shoes-1",
    "winter-at-the-cape-1",
  ),
  ...keeps(
    "cool-room",
    "herring-fleet-2",
    "reluctant-tenor-1",
    "northward-3",
    "ice-cutters-1",
    "paper-fox-1",
  ),
  ...keeps("shelf-hall", "regatta-day-1", "garden-party-1", "our-new-tram-1", "summer-on-the-island-1"),
  ...keeps("viewing-store", "summer-on-the-island-2", "moon-postman-1", "ten-small-kites-1"),
];
