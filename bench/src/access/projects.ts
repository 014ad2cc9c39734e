/** The projects of the measurement: the drive in its sizes, and the hub graph. */
import type { Driver } from "neo4j-driver";
import { type Action } from "../drive/answers.ts";
import { driveGraph, makeDrive } from "../drive/drive.ts";
import { hubGraph } from "../drive/hub.ts";
import { makeQuestions } from "../drive/questions.ts";
import type { Size } from "../options.ts";
import type { Project } from "../project.ts";
import type { Target } from "../settings.ts";
import type { Grown } from "./growth.ts";
import { plan } from "./plan.ts";
import type { DataSet } from "./report.ts";
import { setUp } from "./set-up.ts";

export interface Projects {
  /** ascending, S first */
  readonly drives: readonly Grown[];
  readonly hubs: Project;
  readonly data: readonly DataSet[];
}

/** All data are written before anything is measured, so that no measurement pays for another's. */
export const makeProjects = async (
  target: Target,
  driver: Driver,
  sizes: readonly Size[],
  created: (projectId: string) => void,
): Promise<Projects> => {
  const data: DataSet[] = [];
  const drives: Grown[] = [];
  for (const size of sizes) {
    const drive = makeDrive(size, plan.seed);
    const graph = driveGraph(drive);
    const project = await setUp(target, driver, `drive-${size.toLowerCase()}`, graph, created);
    const ask = (action: Action) => makeQuestions(drive, action, plan.questions, plan.seed);
    drives.push({ size, project, questions: { READ: ask("READ"), VIEW: ask("VIEW") } });
    data.push({ name: `drive ${size}`, graph });
  }
  const hubs = await setUp(target, driver, "hubs", hubGraph, created);
  data.push({ name: "hubs", graph: hubGraph });
  return { drives, hubs, data };
};
