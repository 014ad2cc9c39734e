import type { ChangeSetEntry, Simulation } from "@ikg/client";
import { environment } from "../environment.ts";
import { openAdmin } from "./clients.ts";
import { type Answer, send } from "./send.ts";

/** Tries to simulate changes as the service account of the environment, or with other headers. */
export const trySimulation = (json: object, headers: Record<string, string> = {}): Promise<Answer> =>
  send("/access/v1/simulations", {
    json,
    headers: { Authorization: `Bearer ${environment().service_account_token}`, ...headers },
  });

/** Simulates changes of a project, in more time than a database needs that other tests use as well. */
export const simulate = (projectId: string, changes: readonly ChangeSetEntry[]): Promise<Simulation> =>
  openAdmin(projectId).simulations.simulate({ changes, budget_ms: 60_000, examples: 100 });
