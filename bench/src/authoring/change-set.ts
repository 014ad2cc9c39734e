/** A change set of many policies, beside as many single calls. */
import { setTimeout as delay } from "node:timers/promises";
import { median } from "../../../stack/src/measurement/statistics.ts";
import type { Client } from "../access/asks.ts";
import { openAdmin } from "../clients.ts";
import { externalId } from "../drive/graph.ts";
import type { Line } from "../targets.ts";
import type { Target } from "../settings.ts";
import { put, type Put } from "./changes.ts";
import { absolute } from "./lines.ts";
import { targets, plan } from "./plan.ts";

const pauseMs = 25;

/** Policies of one round: each decides an action of its own. */
const policiesOf = (round: number): readonly Put[] =>
  Array.from({ length: plan.policies }, (_, n) =>
    put(`set-${round}-${n}`, {
      subject: "Person",
      action: `SET_${round}_${n}`,
      resource: "Person",
      cypher: "MATCH (subject:Person)-[:MEMBER_OF]->(:Group)<-[:MEMBER_OF]-(resource:Person)",
    }),
  );

interface Applied {
  readonly appliedMs: number;
  readonly seenMs: number;
}

/** Milliseconds from the answer to a change until the actions of its first and last policy are decided by them. */
const untilSeen = async (client: Client, colleagues: readonly [string, string], round: number) => {
  const started = performance.now();
  for (const n of [0, plan.policies - 1])
    for (;;) {
      const body = JSON.stringify({
        subject: { type: "Person", id: colleagues[0] },
        action: { name: `SET_${round}_${n}` },
        resource: { type: "Person", id: colleagues[1] },
      });
      if (await client.evaluate({ body })) break;
      await delay(pauseMs);
    }
  return performance.now() - started;
};

/**
 * @param client of the project
 * @param colleagues two persons who are in one group
 */
export const measureChangeSet = async (
  target: Target,
  projectId: string,
  client: Client,
  colleagues: readonly [number, number],
): Promise<readonly Line[]> => {
  const { changes, policies } = openAdmin(target, projectId);
  const ids = [externalId("Person", colleagues[0]), externalId("Person", colleagues[1])] as const;
  const sets: Applied[] = [];
  const singles: number[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    const set = policiesOf(round);
    const started = performance.now();
    const { id } = await changes.apply(set, { message: `round ${round}` });
    const appliedMs = performance.now() - started;
    sets.push({ appliedMs, seenMs: await untilSeen(client, ids, round) });
    if (id !== undefined) await changes.revert(id);
    const before = performance.now();
    for (const { name, record } of policiesOf(round + plan.rounds))
      await policies.create({ name, ...record });
    singles.push(performance.now() - before);
  }
  const single = median(singles);
  return [
    absolute(
      `change set of ${plan.policies} policies applied`,
      median(sets.map(({ appliedMs }) => appliedMs)),
      targets.changeSetMs,
      { ms: single, text: `${plan.policies} single calls` },
    ),
    absolute("the same, until decisions follow it", median(sets.map(({ seenMs }) => seenMs)), targets.seenMs),
  ];
};
