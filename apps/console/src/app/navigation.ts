import type { IconName } from "../components/icon.tsx";

/** A screen, as the navigation offers it. */
interface NavigationItem {
  readonly to: string;
  readonly title: string;
  /** The one question that it answers. */
  readonly question: string;
  readonly icon: IconName;
  /** The screen is offered to users who may call one of these operations in the project. */
  readonly operations: readonly string[];
}

/** Every screen, in the order of the navigation. */
export const screens = {
  home: {
    to: "/",
    title: "Home",
    question: "Is everything healthy, and what happened recently?",
    icon: "home",
    operations: ["read_project"],
  },
  playground: {
    to: "/playground",
    title: "Playground",
    question: "May X do Y with Z, and why?",
    icon: "play",
    operations: ["list_authorization_policies", "simulate"],
  },
  policies: {
    to: "/policies",
    title: "Policies",
    question: "What are the rules?",
    icon: "policy",
    operations: ["list_authorization_policies"],
  },
  queries: {
    to: "/queries",
    title: "Queries",
    question: "What may be read or written?",
    icon: "query",
    operations: ["list_knowledge_queries"],
  },
  graph: {
    to: "/graph",
    title: "Graph",
    question: "What do we know about X?",
    icon: "graph",
    operations: ["list_nodes"],
  },
  decisions: {
    to: "/decisions",
    title: "Decisions",
    question: "What was decided, and would it be the same today?",
    icon: "decision",
    operations: ["list_audit_logs"],
  },
  import: {
    to: "/import",
    title: "Import",
    question: "How do I load my data?",
    icon: "import",
    operations: ["create_application_agent_credential"],
  },
  project: {
    to: "/project",
    title: "Project",
    question: "Who can call, and how is the project configured?",
    icon: "project",
    operations: ["list_applications"],
  },
} as const satisfies Readonly<Record<string, NavigationItem>>;

export const navigation: readonly NavigationItem[] = Object.values(screens);
