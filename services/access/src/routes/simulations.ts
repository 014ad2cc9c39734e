import { activeSnapshotFor, type Catalog, type ProjectSnapshot } from "@ikg/catalog";
import { maxChangesBytes, type Simulation, SimulationRequest } from "@ikg/contracts";
import { type AuditNote, JsonLines, type ProjectSlots, reply, type Route, route } from "@ikg/service";
import type { SimulationMetrics } from "../simulations/metrics.ts";
import type { Simulate } from "../simulations/simulate.ts";

const simulationNote = ({
  project_id,
  changes,
  questions,
  queries,
}: SimulationRequest): AuditNote<"audit.authorization.simulation"> => ({
  type: "audit.authorization.simulation",
  chain: project_id,
  data: {
    changes: changes.map(({ collection, name }) => `${collection}/${name}`),
    ...(questions && { questions: questions.length }),
    ...(queries && { queries: [...new Set(queries.map(({ name }) => name))] }),
    ...(queries?.some(({ values }) => values === true) && { values: true }),
  },
});

/** The values of a run; its slot is free after the last one, and when the caller stops reading, also before the first one. */
const released = (
  run: AsyncGenerator<Simulation>,
  release: () => void,
): AsyncIterableIterator<Simulation, undefined> => ({
  [Symbol.asyncIterator]() {
    return this;
  },
  next: async () => {
    try {
      const result = await run.next();
      if (!result.done) return result;
      release();
      return { done: true, value: undefined };
    } catch (error) {
      release();
      throw error;
    }
  },
  return: async () => {
    try {
      await run.return(undefined);
      return { done: true, value: undefined };
    } finally {
      release();
    }
  },
});

const lastOf = async (run: AsyncIterable<Simulation>): Promise<Simulation | undefined> => {
  let last: Simulation | undefined;
  for await (const each of run) last = each;
  return last;
};

export interface SimulationParts {
  readonly catalog: Catalog;
  readonly simulate: Simulate;
  readonly slots: ProjectSlots;
  readonly metrics: SimulationMetrics;
}

/** Takes the slot of a project. @throws Problem "too_many_requests" (429). */
const takeSlot = ({ slots, metrics }: SimulationParts, { project }: ProjectSnapshot): (() => void) => {
  try {
    return slots.take(project);
  } catch (error) {
    metrics.refused();
    throw error;
  }
};

/** POST /access/v1/simulations: who would gain and who would lose access by changes that are not made. */
export const simulations = (parts: SimulationParts): Route =>
  route({
    operation: "simulate",
    method: "post",
    path: "/access/v1/simulations",
    caller: "administrator",
    request: SimulationRequest,
    faults: "unprocessable",
    bodyLimit: maxChangesBytes,
    handle: async ({ body, caller, reach, requestId, signal, wantsLines, note }) => {
      const snapshot = await activeSnapshotFor(parts.catalog, body.project_id, caller, reach);
      const run = await parts.simulate(snapshot, body, { requestId, signal });
      note(() => simulationNote(body));
      const release = takeSlot(parts, snapshot);
      const progress = released(parts.metrics.observe(run()), release);
      return wantsLines ? reply(200, new JsonLines(progress)) : lastOf(progress);
    },
  });
