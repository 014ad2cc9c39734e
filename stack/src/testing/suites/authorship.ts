/** What a project of load decides about: an author may read the document that is theirs, and no other. */
import { asAgent, call } from "../../api.ts";
import { openRecords } from "../../records.ts";
import type { ClientEnvironment } from "../../environment.ts";
import type { LoadProject } from "./load.ts";

const policy = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["READ"],
  resource: { type: "Document" },
  condition: { cypher: "MATCH (subject:Person)-[:WROTE]->(resource:Document)" },
};
/** The person that every project of load has. */
export const author = { type: "Person", external_id: "p1" };
export const own = { type: "Document", external_id: "d1" };
export const foreign = { type: "Document", external_id: "d2" };

/** Writes the two documents and whose they are, and stores the policy; it takes effect within two seconds. */
export const fill = async (environment: ClientEnvironment, { id, apiKey }: LoadProject): Promise<void> => {
  const capture = (what: "nodes" | "relationships", items: object) =>
    call(environment.base_url, "POST", `/capture/v1/${what}`, asAgent(apiKey), { [what]: items });
  await capture("nodes", [own, foreign]);
  await capture("relationships", [{ source: author, type: "WROTE", target: own }]);
  const stored = { name: "author-reads", project_id: id, status: "ACTIVE", policy: JSON.stringify(policy) };
  await openRecords(environment).create("authorization-policies", stored);
};

/** The body of an evaluation: may the author read this document? */
export const mayRead = ({ type, external_id }: typeof own) => ({
  subject: { type: author.type, id: author.external_id },
  action: { name: "READ" },
  resource: { type, id: external_id },
});
