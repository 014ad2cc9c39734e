import type { CommandSection } from "../program/command-module.ts";

/** Every command, in the order of the help. A command is imported when it is called. */
export const commandSections: readonly CommandSection[] = [
  {
    title: "Ask",
    commands: [
      { name: "may", summary: "Decide: may a subject do something?", load: () => import("./ask/may.ts") },
      { name: "who", summary: "Find the subjects that may.", load: () => import("./ask/who.ts") },
      {
        name: "what",
        summary: "Find the resources on which a subject may.",
        load: () => import("./ask/what.ts"),
      },
      {
        name: "actions",
        summary: "Find what a subject may do with a resource.",
        load: () => import("./ask/actions.ts"),
      },
      { name: "query", summary: "Run a stored query.", load: () => import("./ask/query.ts") },
    ],
  },
  {
    title: "Read and write the graph",
    commands: [
      {
        name: "import",
        summary: "Import files by a mapping.",
        load: () => import("./import.ts"),
      },
      {
        name: "graph",
        summary: "Read graphs, and move them as lines of JSON.",
        commands: [
          { name: "nodes", summary: "List nodes.", load: () => import("./graph/nodes.ts") },
          {
            name: "node",
            summary: "Show a node with its properties.",
            load: () => import("./graph/node.ts"),
          },
          {
            name: "neighbours",
            summary: "List the relationships of a node.",
            load: () => import("./graph/neighbours.ts"),
          },
          {
            name: "export",
            summary: "Export nodes and relationships.",
            load: () => import("./graph/export.ts"),
          },
          {
            name: "import",
            summary: "Import nodes and relationships.",
            load: () => import("./graph/import.ts"),
          },
        ],
      },
    ],
  },
  {
    title: "Policies as code",
    commands: [
      { name: "pull", summary: "Write a project as files.", load: () => import("./folder/pull.ts") },
      {
        name: "plan",
        summary: "Compare files with the project, and find whose access would change.",
        load: () => import("./folder/plan.ts"),
      },
      { name: "apply", summary: "Make the project what files say.", load: () => import("./folder/apply.ts") },
      {
        name: "check",
        summary: "Check policies, queries and policy tests in files.",
        load: () => import("./folder/check.ts"),
      },
      { name: "test", summary: "Run policy tests.", load: () => import("./test.ts") },
      {
        name: "simulate",
        summary: "Find whose access changes of policies would give or take.",
        load: () => import("./changes/simulate.ts"),
      },
      {
        name: "replay",
        summary: "Decide recorded decisions again.",
        load: () => import("./changes/replay.ts"),
      },
      {
        name: "codegen",
        summary: "Write types of a project for the client.",
        load: () => import("./codegen.ts"),
      },
    ],
  },
  {
    title: "Changes",
    commands: [
      {
        name: "history",
        summary: "List changes of policies and queries.",
        load: () => import("./changes/history.ts"),
      },
      {
        name: "diff",
        summary: "Compare versions, or show a change.",
        load: () => import("./changes/diff.ts"),
      },
      { name: "revert", summary: "Undo a change.", load: () => import("./changes/revert.ts") },
      {
        name: "rollback",
        summary: "Return a policy or query to a former version.",
        load: () => import("./changes/rollback.ts"),
      },
    ],
  },
  {
    title: "Administer",
    commands: [
      { name: "get", summary: "Show records.", load: () => import("./records/get.ts") },
      { name: "create", summary: "Create a record.", load: () => import("./records/create.ts") },
      { name: "update", summary: "Change fields of a record.", load: () => import("./records/update.ts") },
      { name: "delete", summary: "Delete records.", load: () => import("./records/delete.ts") },
      {
        name: "agents",
        summary: "Manage application agents.",
        commands: [
          {
            name: "list",
            summary: "List agents with their permissions.",
            load: () => import("./agents/list.ts"),
          },
          { name: "create", summary: "Create an agent.", load: () => import("./agents/create.ts") },
          {
            name: "delete",
            summary: "Delete an agent with its keys.",
            load: () => import("./agents/delete.ts"),
          },
        ],
      },
      {
        name: "keys",
        summary: "Manage keys of agents and service accounts.",
        commands: [
          { name: "create", summary: "Create a key.", load: () => import("./keys/create.ts") },
          { name: "list", summary: "List keys.", load: () => import("./keys/list.ts") },
          { name: "revoke", summary: "Revoke a key.", load: () => import("./keys/revoke.ts") },
        ],
      },
    ],
  },
  {
    title: "Audit",
    commands: [
      {
        name: "audit",
        summary: "Export audit records, and verify them.",
        commands: [
          {
            name: "export",
            summary: "Write the chain of a project into a folder.",
            load: () => import("./audit/export.ts"),
          },
          { name: "verify", summary: "Verify a chain.", load: () => import("./audit/verify.ts") },
        ],
      },
    ],
  },
  {
    title: "Deployments",
    commands: [
      {
        name: "context",
        summary: "Name deployments, and choose one.",
        commands: [
          { name: "add", summary: "Keep a deployment under a name.", load: () => import("./context/add.ts") },
          { name: "use", summary: "Choose the current deployment.", load: () => import("./context/use.ts") },
          { name: "list", summary: "List deployments.", load: () => import("./context/list.ts") },
          { name: "remove", summary: "Forget a deployment.", load: () => import("./context/remove.ts") },
        ],
      },
      { name: "login", summary: "Sign in as a person.", load: () => import("./sign-in/login.ts") },
      {
        name: "logout",
        summary: "Forget the person who is signed in.",
        load: () => import("./sign-in/logout.ts"),
      },
      {
        name: "status",
        summary: "Show services, project and counts.",
        load: () => import("./deployment/status.ts"),
      },
      {
        name: "doctor",
        summary: "Find what is misconfigured, and what to do.",
        load: () => import("./deployment/doctor.ts"),
      },
      {
        name: "completion",
        summary: "Print the completion of a shell.",
        load: () => import("./completion.ts"),
      },
      { name: "version", summary: "Show the version of this program.", load: () => import("./version.ts") },
    ],
  },
];
