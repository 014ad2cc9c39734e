import type { ApplicationAgentRecord } from "@ikg/client";
import { type ApplicationKeys, applicationKeys, importKeys } from "./application-keys.ts";

/** What a key of the console is for: an agent for each purpose, so that no key may do more than its screen does. */
export interface KeyPurpose {
  /** Name of the agent that the console creates in a project. */
  readonly agent: string;
  readonly description: string;
  readonly permissions: ApplicationAgentRecord["api_permissions"];
  /** Those of this tab. */
  readonly keys: ApplicationKeys;
  readonly texts: {
    readonly title: string;
    readonly hint: string;
    /** As "Requests use". */
    readonly used: string;
  };
}

export const requestPurpose: KeyPurpose = {
  agent: "console",
  description:
    "Requests decisions and runs queries for users of the console; its keys are valid for one hour.",
  permissions: ["Authorization", "ContXIQ", "ReadAuthZConfigs", "ReadDataSchema"],
  keys: applicationKeys,
  texts: {
    title: "Application key required",
    hint: "Only applications can request decisions and run queries.",
    used: "Requests use",
  },
};

export const importPurpose: KeyPurpose = {
  agent: "console-import",
  description: "Imports data for users of the console; its keys are valid for one hour.",
  permissions: ["Capture"],
  keys: importKeys,
  texts: {
    title: "Import key required",
    hint: "Only applications with the permission Capture can write the graph.",
    used: "Imports use",
  },
};
