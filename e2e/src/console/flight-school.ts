/** A project with a few policies and a small graph, for the tests of the policies in the console. */
import { createTestProject, type TestProject } from "@ikg/client/testing";
import { environment } from "../environment.ts";
import { relationship } from "./relationship.ts";

export const mayFlyCypher = [
  "MATCH (subject)-[:RATED_FOR]->(:Model)<-[:IS]-(resource)",
  "WHERE resource.property.airworthy AND subject.property.hours >= 100",
].join("\n");

export const policyOf = (action: string, cypher: string, filter?: object) => ({
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Pilot" },
  actions: [action],
  resource: { type: "Aircraft" },
  condition: { cypher, ...(filter !== undefined && { filter }) },
});

const node = (type: string, external_id: string, name?: string, value?: number | boolean) => ({
  type,
  external_id,
  ...(name !== undefined && value !== undefined && { properties: [{ type: name, value }] }),
});

/** Amelia has 300 hours, louis 80, bessie 20; N950 is not airworthy. Today amelia may fly N211. */
export const createFlightSchool = (
  policies: Readonly<Record<string, ReturnType<typeof policyOf>>>,
): Promise<TestProject> =>
  createTestProject({
    baseUrl: environment().base_url,
    token: environment().service_account_token,
    name: "flight-school",
    policies,
    graph: {
      nodes: [
        node("Pilot", "amelia", "hours", 300),
        node("Pilot", "louis", "hours", 80),
        node("Pilot", "bessie", "hours", 20),
        node("Model", "dc3"),
        node("Aircraft", "N211", "airworthy", true),
        node("Aircraft", "N950", "airworthy", false),
      ],
      relationships: [
        ...["amelia", "louis", "bessie"].map((pilot) =>
          relationship(["Pilot", pilot], "RATED_FOR", ["Model", "dc3"]),
        ),
        ...["N211", "N950"].map((id) => relationship(["Aircraft", id], "IS", ["Model", "dc3"])),
      ],
    },
  });
