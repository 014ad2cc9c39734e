import type { CommandSection } from "../program/command-module.ts";

/** All commands, in the order of the help. A command is imported when it is called. */
export const commandSections: readonly CommandSection[] = [
  {
    title: "Ask",
    commands: [
      {
        name: "may",
        summary: "Decide whether a subject may perform an action.",
        load: () => import("./ask/may.ts"),
      },
      {
        name: "who",
        summary: "Find the subjects that may perform an action on a resource.",
        load: () => import("./ask/who.ts"),
      },
      {
        name: "what",
        summary: "Find the resources on which a subject may perform an action.",
        load: () => import("./ask/what.ts"),
      },
      {
        name: "actions",
        summary: "Find the actions that a subject may perform on a resource.",
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
        summary: "Import rows of files with a mapping.",
        load: () => import("./import.ts"),
      },
      {
        name: "graph",
        summary: "Read, export and import graph data.",
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
      { name: "pull", summary: "Write the project to files.", load: () => import("./folder/pull.ts") },
      {
        name: "plan",
        summary: "Show what ikg apply would change, and whose access.",
        load: () => import("./folder/plan.ts"),
      },
      { name: "apply", summary: "Apply files to the project.", load: () => import("./folder/apply.ts") },
      {
        name: "check",
        summary: "Check policies, queries and policy tests in files.",
        load: () => import("./folder/check.ts"),
      },
      { name: "test", summary: "Run policy tests.", load: () => import("./test.ts") },
      {
        name: "simulate",
        summary: "Find whose access a change of policies would grant or revoke.",
        load: () => import("./changes/simulate.ts"),
      },
      {
        name: "replay",
        summary: "Evaluate recorded decisions again.",
        load: () => import("./changes/replay.ts"),
      },
      {
        name: "codegen",
        summary: "Generate TypeScript types of a project for the client.",
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
        summary: "Compare two versions, or show a change.",
        load: () => import("./changes/diff.ts"),
      },
      { name: "revert", summary: "Undo a change.", load: () => import("./changes/revert.ts") },
      {
        name: "rollback",
        summary: "Restore a former version of a policy or query.",
        load: () => import("./changes/rollback.ts"),
      },
    ],
  },
  {
    title: "Administer",
    commands: [
      { name: "get", summary: "Show records.", load: () => import("./records/get.ts") },
      { name: "create", summary: "Create a record.", load: () => import("./records/create.ts") },
      { name: "update", summary: "Update fields of a record.", load: () => import("./records/update.ts") },
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
            summary: "Delete an agent and its keys.",
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
        summary: "Export and verify audit records.",
        commands: [
          {
            name: "export",
            summary: "Export the audit chain of a project to a folder.",
            load: () => import("./audit/export.ts"),
          },
          { name: "verify", summary: "Verify an audit chain.", load: () => import("./audit/verify.ts") },
        ],
      },
    ],
  },
  {
    title: "Deployments",
    commands: [
      {
        name: "context",
        summary: "Manage contexts: named deployments with credentials.",
        commands: [
          { name: "add", summary: "Add or replace a context.", load: () => import("./context/add.ts") },
          { name: "use", summary: "Set the current context.", load: () => import("./context/use.ts") },
          { name: "list", summary: "List contexts.", load: () => import("./context/list.ts") },
          { name: "remove", summary: "Remove a context.", load: () => import("./context/remove.ts") },
        ],
      },
      { name: "login", summary: "Sign in as a person.", load: () => import("./sign-in/login.ts") },
      {
        name: "logout",
        summary: "Sign out.",
        load: () => import("./sign-in/logout.ts"),
      },
      {
        name: "status",
        summary: "Show the state of services, the project and counts.",
        load: () => import("./deployment/status.ts"),
      },
      {
        name: "doctor",
        summary: "Diagnose configuration problems, and suggest fixes.",
        load: () => import("./deployment/doctor.ts"),
      },
      {
        name: "completion",
        summary: "Print the completion script of a shell.",
        load: () => import("./completion.ts"),
      },
      { name: "version", summary: "Show the version of this program.", load: () => import("./version.ts") },
    ],
  },
];
