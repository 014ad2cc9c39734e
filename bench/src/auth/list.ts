/** The list of a project's policies through the gateway, beside the same records read by the raw driver. */
import neo4j, { type Driver } from "neo4j-driver";
import { median } from "../../../stack/src/measurement/statistics.ts";
import { openAdmin } from "../clients.ts";
import type { Target } from "../settings.ts";
import { listPlan } from "./plan.ts";

export interface ListFigures {
  /** milliseconds */
  readonly list: number;
  /** milliseconds of the statement by the raw driver */
  readonly rawDriver: number;
}

const statement = [
  "MATCH (:_Record {id: $project})<-[:_PART_OF]-(policy:_AuthorizationPolicy)",
  "RETURN policy.id, policy.name, policy.display_name, policy.description, policy.version, policy.etag,",
  "  policy.create_time, policy.update_time, policy.created_by, policy.updated_by, policy.data",
  "ORDER BY policy.create_time, policy.id",
].join("\n");

const demandAll = (count: number): void => {
  if (count !== listPlan.policies) throw new Error(`${count} policies instead of ${listPlan.policies}`);
};

const timeOf = async (work: () => Promise<number>): Promise<number> => {
  const started = performance.now();
  demandAll(await work());
  return performance.now() - started;
};

export const measureList = async (
  target: Target,
  driver: Driver,
  projectId: string,
): Promise<ListFigures> => {
  const { policies } = openAdmin(target, projectId);
  const list = async () => {
    const listed = await policies.list({ texts: false });
    if (listed.some(({ policy }) => policy)) throw new Error("a text in a list that asked for none");
    return listed.length;
  };
  const rawDriver = async () => {
    const { records } = await driver.executeQuery(
      statement,
      { project: projectId },
      { database: "neo4j", routing: neo4j.routing.READ },
    );
    return records.map((record) => record.toObject()).length;
  };
  const found: { list: number; rawDriver: number }[] = [];
  for (let read = -listPlan.warmUp; read < listPlan.reads; read++) {
    const times = { rawDriver: await timeOf(rawDriver), list: await timeOf(list) };
    if (read >= 0) found.push(times);
  }
  return {
    list: median(found.map((each) => each.list)),
    rawDriver: median(found.map((each) => each.rawDriver)),
  };
};
