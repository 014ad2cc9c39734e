/** A change set of many policies, beside as many single calls. */
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "../access/asks.ts";
import { call, create } from "../api.ts";
import { externalId } from "../drive/graph.ts";
import type { Line } from "../targets.ts";
import type { Target } from "../settings.ts";
import { median } from "../statistics.ts";
import { type Change, put } from "./changes.ts";
import { absolute } from "./lines.ts";
import { targets, plan } from "./plan.ts";

const pauseMs = 25;

/** Policies of one round: each decides an action of its own. */
const policiesOf = (round: number): readonly Change[] =>
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
  const headers = { authorization: `Bearer ${target.serviceAccountToken}` };
  const ids = [externalId("Person", colleagues[0]), externalId("Person", colleagues[1])] as const;
  const sets: Applied[] = [];
  const singles: number[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    const changes = policiesOf(round);
    const started = performance.now();
    const body = { project_id: projectId, message: `round ${round}`, changes };
    const { id } = (await call(target.gateway, "POST", "/configs/v1/changes", headers, body)) as {
      id: string;
    };
    const appliedMs = performance.now() - started;
    sets.push({ appliedMs, seenMs: await untilSeen(client, ids, round) });
    await call(target.gateway, "POST", `/configs/v1/changes/${encodeURIComponent(id)}/revert`, headers, {});
    const before = performance.now();
    for (const { name, record } of policiesOf(round + plan.rounds)) {
      const { policy } = record as { policy: object }; // made above
      await create(target.gateway, target.serviceAccountToken, "authorization-policies", {
        ...{ project_id: projectId, name, status: "ACTIVE" },
        policy: JSON.stringify(policy),
      });
    }
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
