import type { CommandSection } from "../program/command-module.ts";

/** Every command, in the order of the help. A command is imported when it is called. */
export const commandSections: readonly CommandSection[] = [
  {
    title: "Policies as code",
    commands: [{ name: "test", summary: "Run policy tests.", load: () => import("./test.ts") }],
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
