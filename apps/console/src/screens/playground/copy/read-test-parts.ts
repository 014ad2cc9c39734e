import type { Decision, IkgAdmin, WholeNode } from "@ikg/client";
import { ifFound } from "../../../session/if-found.ts";
import type { QuestionOf } from "../question/question.ts";
import type { GrantingPath, TestParts } from "./policy-test.ts";

interface Node {
  readonly type: string;
  readonly id: string;
}

const nameOf = ({ type, id }: Node) => ({ type, external_id: id });

const wholeNode = async (admin: IkgAdmin, node: Node): Promise<readonly WholeNode[]> => {
  // A question may be about a node that the graph does not have.
  const found = await ifFound(admin.graph.node(nameOf(node)));
  return found === undefined ? [] : [found];
};

const relationshipsOf = async (
  admin: IkgAdmin,
  { relationships }: GrantingPath,
): Promise<TestParts["relationships"]> => {
  const found = [];
  for (const { source, type, target } of relationships) {
    const ends = { source: nameOf(source), type, target: nameOf(target) };
    let properties: TestParts["relationships"][number]["properties"] = [];
    for await (const { relationship, node } of admin.graph.neighbours(nameOf(source), {
      types: [type],
      direction: "out",
    }))
      if (node.type === target.type && node.external_id === target.id) {
        ({ properties } = relationship);
        break;
      }
    found.push({ ...ends, properties });
  }
  return found;
};

const bare = ({ type, id }: Node): TestParts["nodes"][number] => ({
  type,
  external_id: id,
  is_identity: false,
  labels: [],
  properties: [],
});

/**
 * Reads what a policy test of a decision needs.
 *
 * @param mayReadGraph without it nodes have no properties, and a test may need some.
 */
export const readTestParts = async (
  admin: IkgAdmin,
  question: QuestionOf<"decision">,
  decision: Decision,
  mayReadGraph: boolean,
): Promise<Omit<TestParts, "claims" | "at">> => {
  const { candidates = [], granted_by: grantedBy } = decision.context?.explanation ?? {};
  const path = candidates.find(({ policy }) => policy.id === grantedBy?.id)?.path ?? {
    nodes: [],
    relationships: [],
  };
  const ends = [question.subject, question.resource];
  const named = new Map([...path.nodes, ...ends].map((node) => [JSON.stringify([node.type, node.id]), node]));
  const nodes = mayReadGraph
    ? (await Promise.all([...named.values()].map((node) => wholeNode(admin, node)))).flat()
    : [...named.values()].map(bare);
  const policies = await Promise.all(
    candidates.map(
      async ({ policy: { id, version } }) => (await admin.policies.read(id, { version })).record,
    ),
  );
  const relationships = mayReadGraph
    ? await relationshipsOf(admin, path)
    : path.relationships.map(({ source, type, target }) => ({
        source: nameOf(source),
        type,
        target: nameOf(target),
        properties: [],
      }));
  return { question, isGranted: decision.decision, policies, nodes, relationships };
};
