import type { Simulation } from "@ikg/contracts";
import { environment } from "./environment.ts";
import { must } from "./must.ts";
import { type Answer, send } from "./send.ts";

/** Tries to simulate changes as the service account of the environment, or with other headers. */
export const trySimulation = (json: object, headers: Record<string, string> = {}): Promise<Answer> =>
  send("/access/v1/simulations", {
    json,
    headers: { Authorization: `Bearer ${environment().service_account_token}`, ...headers },
  });

/** Simulates changes of a project. */
export const simulate = async (projectId: string, changes: readonly object[]): Promise<Simulation> =>
  must<Simulation>(
    await trySimulation({ project_id: projectId, changes, budget_ms: 8_000, examples: 100 }),
    200,
  );
