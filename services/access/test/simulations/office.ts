import { type SimulationsUnderTest, startSimulations } from "./simulations-under-test.ts";

/** Ids that a text or a path could stumble over. */
const odd = ['it\'s "odd"', "a/b `c` \\ $s {x}"];

export const persons = [...Array.from({ length: 6 }, (_, index) => `p${index}`), ...odd];
export const documents = [...Array.from({ length: 8 }, (_, index) => `d${index}`), ...odd];

/**
 * Persons who are members of three teams and know the next person, teams that own documents, persons who wrote some. A note
 * has the label of a document as well, and a robot that of a person.
 */
const createOffice = async ({ write, label, project: { pk } }: SimulationsUnderTest): Promise<void> => {
  const node = (type: string, id: string, more = "") =>
    `(:_Node:${label}:${type}__${pk} {_key: $pk + '/${type}/' + ${id}, external_id: ${id}, id: $pk + '${type}' + ${id}, type: '${type}'${more}})`;
  await write(
    `FOREACH (i IN range(0, size($persons) - 1) | CREATE ${node("Person", "$persons[i]", ", level: i, is_identity: i % 2 = 0")})
     FOREACH (i IN range(0, size($documents) - 1) | CREATE ${node("Document", "$documents[i]", ", level: i, open: i % 3 = 0, title: CASE i WHEN 0 THEN 'text' ELSE '2026-01-01' END")})
     FOREACH (i IN range(0, 2) | CREATE ${node("Team", "toString(i)")})
     CREATE (:_Node:${label}:Note__${pk}:Document__${pk} {_key: $pk + '/Note/n', external_id: 'n', id: $pk + 'n', type: 'Note', level: 0, open: true})
     CREATE (:_Node:${label}:Robot__${pk}:Person__${pk} {_key: $pk + '/Robot/r', external_id: 'r', id: $pk + 'r', type: 'Robot', level: 0})`,
    { persons, documents },
  );
  await write(
    `UNWIND range(0, size($persons) - 1) AS i
     MATCH (p:_Node {_key: $pk + '/Person/' + $persons[i]}), (t:_Node {_key: $pk + '/Team/' + toString(i % 3)})
     MATCH (next:_Node {_key: $pk + '/Person/' + $persons[(i + 1) % size($persons)]})
     MATCH (d:_Node {_key: $pk + '/Document/' + $documents[i]})
     CREATE (p)-[:MEMBER_OF]->(t) CREATE (p)-[:KNOWS]->(next) CREATE (p)-[:WROTE]->(d)`,
    { persons, documents },
  );
  await write(
    `UNWIND range(0, size($documents) - 1) AS i
     MATCH (d:_Node {_key: $pk + '/Document/' + $documents[i]}), (t:_Node {_key: $pk + '/Team/' + toString(i % 3)})
     CREATE (t)-[:OWNS]->(d)`,
    { documents },
  );
  await write(
    `MATCH (n:_Node) WHERE n._key IN [$pk + '/Note/n', $pk + '/Robot/r'] MATCH (t:_Node {_key: $pk + '/Team/0'})
     CREATE (n)-[:MEMBER_OF]->(t) CREATE (t)-[:OWNS]->(n)`,
  );
};

/** A service of simulations over an office of its own. */
export const openOffice = async (
  settings: Readonly<Record<string, string>> = {},
): Promise<SimulationsUnderTest> => {
  const service = await startSimulations(settings);
  try {
    await createOffice(service);
    return service;
  } catch (error) {
    await service.close();
    throw error;
  }
};
