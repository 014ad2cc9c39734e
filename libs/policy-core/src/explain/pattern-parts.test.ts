import { describe, expect, it } from "@jest/globals";
import { compilePolicy } from "../policy/compile.ts";
import { patternParts } from "./pattern-parts.ts";

const partsOf = (policy: object): readonly string[] => {
  const checked = compilePolicy(JSON.stringify(policy));
  if (!checked.ok) throw new Error(checked.faults.join("\n"));
  return patternParts(checked.value).map(({ kind, text }) => `${kind} ${text}`);
};

describe("the parts of a pattern", () => {
  it("are those of a decision without its ends", () =>
    expect(
      partsOf({
        meta: { policy_version: "2.0-kbac" },
        subject: { type: "Pilot" },
        actions: ["FLY"],
        resource: { type: "Aircraft" },
        condition: {
          cypher:
            "MATCH (subject:Pilot)-[:RATED_FOR]->(m:Model {open: true})<-[:IS]-(resource:Aircraft) WHERE resource.property.airworthy AND subject.property.hours >= $min",
        },
      }),
    ).toEqual([
      "hop -[:RATED_FOR]->(m:Model {open: true})",
      "predicate :Model",
      "predicate open: true",
      "hop <-[:IS]-(resource:Aircraft)",
      "predicate resource.property.airworthy",
      "predicate subject.property.hours >= $min",
    ]));

  it("are those of a query's policy without its subject", () =>
    expect(
      partsOf({
        meta: { policy_version: "1.0-ciq" },
        subject: { type: "_Application" },
        condition: {
          cypher: "MATCH (subject:_Application) MATCH (p:Pilot)-[:RATED_FOR]->(m) MATCH (m)-[:IN]->(f)",
        },
      }),
    ).toEqual(["node (p:Pilot)", "hop -[:RATED_FOR]->(m)", "hop -[:IN]->(f)"]));
});
