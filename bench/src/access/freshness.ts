/** A write by the API, and at once the question whose answer it changes. */
import { openIkg } from "../clients.ts";
import { externalId } from "../drive/graph.ts";
import { countText, type Line } from "../targets.ts";
import type { Bench } from "./bench.ts";
import { plan } from "./plan.ts";

/** Of these persons and documents nothing else is asked or known. */
const first = 1_000_000;

const ref = (type: string, n: number) => ({ type, external_id: externalId(type, n) });

const person = (caller: number) => ref("Person", first + caller);
const document = (caller: number) => ref("Document", first + caller);

const question = (caller: number): string =>
  JSON.stringify({
    subject: { type: "Person", id: person(caller).external_id },
    action: { name: "READ" },
    resource: { type: "Document", id: document(caller).external_id },
  });

/**
 * Each caller grants ownership, requests a decision, revokes it, requests again, and so on.
 *
 * @param times writes of all callers together
 */
export const measureFreshness = async (
  { target, clients, project }: Bench,
  times: number,
): Promise<readonly Line[]> => {
  const { capture } = openIkg(target, project.agent.apiKey);
  const callers = Array.from({ length: plan.freshnessCallers }, (_, n) => n);
  const nodes = callers.flatMap((n) => [
    { ...person(n), is_identity: true, properties: [{ type: "clearance", value: 1 }] },
    { ...document(n), properties: [{ type: "level", value: 1 }] },
  ]);
  await capture.nodes(nodes);
  const { evaluate } = clients.gateway(project);
  let written = 0;
  let stale = 0;
  const caller = async (n: number): Promise<void> => {
    const relationships = [{ source: person(n), type: "OWNS", target: document(n) }];
    const body = question(n);
    for (let owns = true; written++ < times; owns = !owns) {
      if (owns) await capture.relationships(relationships);
      else await capture.deleteRelationships(relationships);
      if ((await evaluate({ body })) !== owns) stale += 1;
    }
  };
  await Promise.all(callers.map(caller));
  return [
    {
      what: `freshness: a write, then the decision at once, ${plan.freshnessCallers} callers`,
      figure: `${stale} stale`,
      ratio: "",
      target: "none stale",
      baseline: `${countText(times)} writes`,
      met: stale === 0,
    },
  ];
};
