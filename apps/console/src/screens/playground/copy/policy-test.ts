import type { CandidateExplanation, Neighbour, WholeNode } from "@ikg/client";
import type { Members } from "../../../text/json.ts";
import { peopleOf, person } from "../../../snippets/test-people.ts";
import { lineOf } from "../question/decision-line.ts";
import type { QuestionOf } from "../question/question.ts";

export type GrantingPath = NonNullable<CandidateExplanation["path"]>;

/** What a policy test is made of. */
export interface TestParts {
  readonly question: QuestionOf<"decision">;
  readonly isGranted: boolean;
  /** Of the token; undefined where none was sent, or its claims are not known. */
  readonly claims?: Members | undefined;
  /** Milliseconds since 1970: what times of the token are measured against. */
  readonly at: number;
  /** Those that the explanation names. */
  readonly policies: readonly {
    readonly name: string;
    readonly policy: string;
    readonly tags: readonly string[];
  }[];
  readonly nodes: readonly Pick<
    WholeNode,
    "type" | "external_id" | "is_identity" | "labels" | "properties"
  >[];
  readonly relationships: readonly {
    readonly source: Named;
    readonly type: string;
    readonly target: Named;
    readonly properties: Neighbour["relationship"]["properties"];
  }[];
}

interface Named {
  readonly type: string;
  readonly external_id: string;
}

const decisionLine = ({ question, isGranted }: TestParts): string => {
  const line = lineOf(question);
  if (isGranted) return line;
  // Subject and action are words: ` may ` stands once outside of quotes, after the subject.
  const subject =
    lineOf({ ...question, action: "", resource: { type: "", id: "" } }).split(' may ""')[0] ?? "";
  return `${subject} may not${line.slice(subject.length + " may".length)}`;
};

const policyOf = ({ policy, tags }: TestParts["policies"][number]): object => {
  const content: unknown = JSON.parse(policy);
  return tags.length === 0 ? { policy: content } : { policy: content, tags };
};

const ifAny = <Name extends string, Item>(
  name: Name,
  items: readonly Item[],
): Partial<Record<Name, readonly Item[]>> =>
  items.length === 0 ? {} : ({ [name]: items } as Record<Name, readonly Item[]>); // of that name

/**
 * A file NAME.ikg.json for `ikg test` (docs/policy-tests.md): the nodes and relationships that the explanation names, the policies
 * that it names, and the decision.
 */
export const policyTestOf = (parts: TestParts): string => {
  const { question, claims, at, policies, nodes, relationships } = parts;
  const file = {
    name: `playground: ${question.action}`,
    graph: {
      nodes: nodes.map(({ type, external_id, is_identity, labels, properties }) => ({
        type,
        external_id,
        ...(is_identity && { is_identity }),
        ...ifAny("labels", labels),
        ...ifAny(
          "properties",
          properties
            // What a resolver brings is not in the graph.
            .filter(({ external_value }) => external_value === undefined)
            .map(({ type, value, metadata }) => ({
              type,
              value,
              ...(metadata !== undefined && { metadata }),
            })),
        ),
      })),
      ...ifAny(
        "relationships",
        relationships.map(({ source, type, target, properties }) => ({
          source,
          type,
          target,
          ...ifAny("properties", properties),
        })),
      ),
    },
    policies: Object.fromEntries(policies.map((policy) => [policy.name, policyOf(policy)])),
    ...peopleOf(claims, at),
    tests: [
      {
        decision: decisionLine(parts),
        ...(claims !== undefined && { as: person }),
        ...(question.params !== undefined && { params: question.params }),
      },
    ],
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
};
