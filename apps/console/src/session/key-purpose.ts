import type { ApplicationAgentRecord } from "@ikg/client";
import { type ApplicationKeys, applicationKeys, importKeys } from "./application-keys.ts";

/** What a key of the console is for: an agent for each purpose, so that no key may do more than its screen does. */
export interface KeyPurpose {
  /** Name of the agent that the console makes in a project. */
  readonly agent: string;
  readonly description: string;
  readonly permissions: ApplicationAgentRecord["api_permissions"];
  /** Those of this tab. */
  readonly keys: ApplicationKeys;
  readonly texts: {
    readonly title: string;
    readonly hint: string;
    /** As "Asks with". */
    readonly used: string;
  };
}

export const asking: KeyPurpose = {
  agent: "console",
  description: "Asks questions for people who use the console; its keys last an hour.",
  permissions: ["Authorization", "ContXIQ", "ReadAuthZConfigs", "ReadDataSchema"],
  keys: applicationKeys,
  texts: {
    title: "First, a key to ask with",
    hint: "Decisions and queries are for applications.",
    used: "Asks with",
  },
};

export const importing: KeyPurpose = {
  agent: "console-import",
  description: "Writes what people import with the console; its keys last an hour.",
  permissions: ["Capture"],
  keys: importKeys,
  texts: {
    title: "A key to import with",
    hint: "Graphs are written by applications, with the permission Capture.",
    used: "Imports with",
  },
};
