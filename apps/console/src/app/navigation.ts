import type { IconName } from "../parts/icon.tsx";

/** A screen, as the navigation offers it. */
export interface NavigationItem {
  readonly to: string;
  readonly label: string;
  /** The one question that it answers. */
  readonly question: string;
  readonly icon: IconName;
  /** It is offered to users who may call one of these operations in the project. */
  readonly operations: readonly string[];
}

export const navigation: readonly NavigationItem[] = [
  {
    to: "/",
    label: "Home",
    question: "Is it well, and what happened?",
    icon: "home",
    operations: ["read_project"],
  },
  {
    to: "/playground",
    label: "Playground",
    question: "May X do Y with Z, and why?",
    icon: "play",
    operations: ["list_authorization_policies", "simulate"],
  },
  {
    to: "/policies",
    label: "Policies",
    question: "What are the rules?",
    icon: "policy",
    operations: ["list_authorization_policies"],
  },
  {
    to: "/queries",
    label: "Queries",
    question: "What may be read or written?",
    icon: "query",
    operations: ["list_knowledge_queries"],
  },
  {
    to: "/graph",
    label: "Graph",
    question: "What do we know about X?",
    icon: "graph",
    operations: ["list_nodes"],
  },
  {
    to: "/decisions",
    label: "Decisions",
    question: "What was decided, and would it be again?",
    icon: "decision",
    operations: ["list_audit_logs"],
  },
  {
    to: "/import",
    label: "Import",
    question: "Get my data in.",
    icon: "import",
    operations: ["create_application_agent_credential"],
  },
  {
    to: "/project",
    label: "Project",
    question: "Who may call?",
    icon: "project",
    operations: ["list_applications"],
  },
];
