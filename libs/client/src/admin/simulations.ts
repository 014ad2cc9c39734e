import type { Replay, ReplayRequest, Simulation, SimulationRequest } from "../contract/wire.ts";
import type { HttpRequest } from "../transport/request.ts";
import { jsonLines } from "../transport/json-lines.ts";
import type { Transport } from "../transport/transport.ts";
import type { ScopeOptions } from "./collection.ts";
import type { Scope } from "./scope.ts";

/** Longer than the suite takes at most. */
const defaultTimeoutMs = 140_000;

export type SimulationFields = Omit<SimulationRequest, "project_id">;
export type ReplayFields = Omit<ReplayRequest, "project_id">;

/** What changes of policies would do, and what recorded decisions come to today. Nothing is stored. */
export class Simulations {
  readonly #transport: Transport;
  readonly #scope: Scope;

  constructor(transport: Transport, scope: Scope) {
    this.#transport = transport;
    this.#scope = scope;
  }

  async #request(path: string, fields: object, options: ScopeOptions): Promise<HttpRequest> {
    const { signal, timeoutMs = defaultTimeoutMs } = options;
    const json = { project_id: await this.#scope.projectId(options), ...fields };
    return { method: "POST", path, json, idempotent: true, signal, timeoutMs };
  }

  /** Whose access the changes would give or take. */
  async simulate(fields: SimulationFields, options: ScopeOptions = {}): Promise<Simulation> {
    const request = await this.#request("/access/v1/simulations", fields, options);
    return (await this.#transport.send<Simulation>(request)).body;
  }

  /** The same as it proceeds; the last value is the answer. */
  async *progress(
    fields: SimulationFields,
    options: ScopeOptions = {},
  ): AsyncGenerator<Simulation, void, undefined> {
    const request = await this.#request("/access/v1/simulations", fields, options);
    yield* jsonLines<Simulation>(this.#transport, request);
  }

  /** Decides recorded decisions again, 1,000 records at most. */
  async replay(fields: ReplayFields, options: ScopeOptions = {}): Promise<Replay> {
    const request = await this.#request("/access/v1/replays", fields, options);
    return (await this.#transport.send<Replay>(request)).body;
  }
}
