/** What a project of load decides about: an author may read the document that is theirs, and no other. */
import { openAdmin, openIkg } from "../../clients.ts";
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
export const fill = async (environment: ClientEnvironment, project: LoadProject): Promise<void> => {
  const { capture } = openIkg(environment, project);
  await capture.nodes([own, foreign]);
  await capture.relationships([{ source: author, type: "WROTE", target: own }]);
  const { policies } = openAdmin(environment);
  await policies.create({ name: "author-reads", project_id: project.id, status: "ACTIVE", policy });
};

/** Whether the author may read each of the documents. */
export const decide = (
  environment: Pick<ClientEnvironment, "base_url">,
  project: LoadProject,
  documents: readonly (typeof own)[],
): Promise<boolean[]> => {
  const person = openIkg(environment, project).as({ type: author.type, id: author.external_id });
  return Promise.all(documents.map(({ type, external_id }) => person.can("READ", { type, id: external_id })));
};

/** The body of an evaluation: may the author read this document? */
export const mayRead = ({ type, external_id }: typeof own) => ({
  subject: { type: author.type, id: author.external_id },
  action: { name: "READ" },
  resource: { type, id: external_id },
});
