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
    ],
  },
  {
    title: "Policies as code",
    commands: [
      { name: "test", summary: "Run policy tests.", load: () => import("./test.ts") },
      {
        name: "codegen",
        summary: "Write types of a project for the client.",
        load: () => import("./codegen.ts"),
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
];
