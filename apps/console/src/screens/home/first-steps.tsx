import { CopyButton } from "../../components/copy-button.tsx";
import { curl, keyHeader, tokenHeader } from "../../snippets/curl.ts";
import { Icon } from "../../components/icon.tsx";
import { usePolicies } from "../../queries/use-policies.ts";
import { baseUrl } from "../../session/base-url.ts";
import { useMay } from "../../session/use-admin.ts";
import { useHasNodes, useRecent } from "./use-home.ts";

interface Step {
  readonly title: string;
  readonly hint: string;
  readonly isDone: boolean;
  readonly command: string;
}

const policy = {
  meta: { policy_version: "2.0-kbac" },
  subject: { type: "Person" },
  actions: ["READ"],
  resource: { type: "Document" },
  condition: { cypher: "MATCH (subject)-[:OWNS]->(resource)" },
};

const commandOf = (path: string, header: string, body: object): string =>
  curl(baseUrl() + path, [header], body);

const person = { type: "Person", external_id: "ann" };
const document = { type: "Document", external_id: "d1" };

const commands = (projectId: string) => ({
  graph: [
    commandOf("/capture/v1/nodes", keyHeader, { nodes: [person, document] }),
    commandOf("/capture/v1/relationships", keyHeader, {
      relationships: [{ source: person, type: "OWNS", target: document }],
    }),
  ].join("\n"),
  policy: commandOf("/configs/v1/authorization-policies", tokenHeader, {
    project_id: projectId,
    name: "may-read",
    status: "ACTIVE",
    policy: JSON.stringify(policy),
  }),
  decision: commandOf("/access/v1/evaluation", keyHeader, {
    subject: { type: "Person", id: "ann" },
    action: { name: "READ" },
    resource: { type: "Document", id: "d1" },
  }),
});

interface FirstStepsProps {
  readonly projectId: string;
}

/** What comes next in a project that has not decided anything yet, for those who may do it; nothing where all is done. */
export const FirstSteps = ({ projectId }: FirstStepsProps) =>
  useMay()("create_authorization_policy", projectId) ? <Steps projectId={projectId} /> : null;

const Steps = ({ projectId }: FirstStepsProps) => {
  const policies = usePolicies(projectId);
  const hasNodes = useHasNodes(projectId);
  const recent = useRecent(projectId);
  if (policies.data === undefined || hasNodes.isLoading || recent.isLoading) return null;
  const { graph, policy: policyCommand, decision } = commands(projectId);
  const hasPolicy = policies.data.some(({ status }) => status === "ACTIVE");
  // Roles that do not look at graphs cannot tell: then it is neither marked as done nor a reason for the steps.
  if (hasPolicy && hasNodes.data !== false) return null;
  const hasDecided = recent.data !== undefined && recent.data.allowed + recent.data.denied > 0;
  const steps: readonly Step[] = [
    {
      title: "A first graph",
      hint: "$KEY is the key of an application agent.",
      isDone: hasNodes.data === true,
      command: graph,
    },
    {
      title: "A first policy",
      hint: "$TOKEN is the token of a service account.",
      isDone: hasPolicy,
      command: policyCommand,
    },
    { title: "A first decision", hint: "Or ask in the playground.", isDone: hasDecided, command: decision },
  ];
  return (
    <section className="stack" aria-label="First steps">
      <h2>First steps</h2>
      <ol className="steps">
        {steps.map(({ title, hint, isDone, command }) => (
          <li key={title} className="card stack">
            <div className="row">
              <h3>{title}</h3>
              {isDone && (
                <span className="tag good">
                  <Icon name="check" />
                  done
                </span>
              )}
            </div>
            {!isDone && (
              <>
                <pre className="code" role="region" aria-label={`Command: ${title}`} tabIndex={0}>
                  {command}
                </pre>
                <div className="row">
                  <CopyButton label="Copy" text={command} />
                  <span className="hint">{hint}</span>
                </div>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
};
