import type { Catalog } from "@ikg/catalog";
import { maxChangesBytes, type Simulation, SimulationRequest } from "@ikg/contracts";
import { type AuditNote, JsonLines, reply, type Route, route } from "@ikg/service";
import type { Simulate } from "../simulations/simulate.ts";
import type { SimulationSlots } from "../simulations/slots.ts";
import { activeProject } from "./active-project.ts";

const simulationNote = ({
  project_id,
  changes,
  questions,
}: SimulationRequest): AuditNote<"audit.authorization.simulation"> => ({
  type: "audit.authorization.simulation",
  chain: project_id,
  data: {
    changes: changes.map(({ collection, name }) => `${collection}/${name}`),
    ...(questions && { questions: questions.length }),
  },
});

/** The values of a run, after which its slot is free. */
async function* released(run: AsyncGenerator<Simulation>, release: () => void): AsyncGenerator<Simulation> {
  try {
    yield* run;
  } finally {
    release();
  }
}

const lastOf = async (run: AsyncGenerator<Simulation>): Promise<Simulation | undefined> => {
  let last: Simulation | undefined;
  for await (const each of run) last = each;
  return last;
};

/** POST /access/v1/simulations: who would gain and who would lose access by changes that are not made. */
export const simulations = (catalog: Catalog, simulate: Simulate, slots: SimulationSlots): Route =>
  route({
    operation: "simulate",
    method: "post",
    path: "/access/v1/simulations",
    caller: "service_account",
    request: SimulationRequest,
    faults: "unprocessable",
    bodyLimit: maxChangesBytes,
    handle: async ({ body, caller, requestId, signal, wantsLines, note }) => {
      const view = await activeProject(catalog, body.project_id, caller.org);
      const run = simulate(view, body, { requestId, signal });
      const release = slots.take(view.project.id);
      note(() => simulationNote(body));
      const progress = released(run(), release);
      return wantsLines ? reply(200, new JsonLines(progress)) : lastOf(progress);
    },
  });
