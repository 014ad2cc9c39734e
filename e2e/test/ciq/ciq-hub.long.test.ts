import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type OpenQuery, openQuery } from "../../src/configuration/open-query.ts";
import { savePolicy } from "../../src/configuration/save-policy.ts";
import { createTenant, type Tenant } from "../../src/configuration/tenant.ts";
import { long } from "../../src/long.ts";
import { capture } from "../../src/requests/capture.ts";
import { evaluate } from "../../src/requests/evaluate.ts";
import { createTokenIssuer } from "../../src/tokens/token-issuer.ts";

/**
 * Check 18, hubs: two brands alike, of which one has ten times as many products. A plan
 * that walked all that leads into a brand would need ten times as long for it.
 */
const few = long(1_000, 10_000);
const sizes = { small: few, large: 10 * few };
const brands = ["small", "large"] as const;
type Brand = (typeof brands)[number];
const rounds = 60;
/** A busy machine may spoil one measurement, not three. */
const tries = 3;

let tenant: Tenant;
let token: string;
let query: OpenQuery;

const ref = (type: string) => (external_id: string) => ({ type, external_id });
const [person, brand, product] = [ref("Person"), ref("Brand"), ref("Product")];
const pattern = "MATCH (subject:Person)-[:WORKS_FOR]->(b:Brand)<-[:OF]-";

beforeAll(
  async () => {
    tenant = await createTenant("ciq-hub");
    await capture(
      {
        nodes: brands.flatMap((name) => [
          person(name),
          brand(name),
          ...Array.from({ length: sizes[name] }, (_, n) => product(`${name}-${n}`)),
        ]),
        relationships: brands.flatMap((name) => [
          { source: person(name), target: brand(name), type: "WORKS_FOR" },
          ...Array.from({ length: sizes[name] }, (_, n) => ({
            source: product(`${name}-${n}`),
            target: brand(name),
            type: "OF",
          })),
        ]),
      },
      tenant,
    );
    const issuer = await createTokenIssuer(tenant.projectId);
    token = await issuer.sign("anybody");
    await savePolicy(tenant.projectId, {
      policy: {
        meta: { policy_version: "2.0-kbac" },
        subject: { type: "Person" },
        actions: ["SELL"],
        resource: { type: "Product" },
        condition: { cypher: `${pattern}(resource:Product)` },
      },
    });
    query = await openQuery(
      tenant,
      {
        subject: { type: "Person" },
        condition: {
          cypher: `${pattern}(p:Product)`,
          filter: [{ attribute: "subject.external_id", operator: "=", value: "$person" }],
        },
        allowed_reads: { nodes: ["p.external_id"] },
      },
      {
        filter: { attribute: "p.external_id", operator: "=", value: "$product" },
        nodes: ["p.external_id"],
      },
    );
  },
  long(180_000, 1_200_000),
);
afterAll(() => tenant?.remove());

const ask: Readonly<Record<string, (name: Brand, id: string) => Promise<unknown>>> = {
  "a decision": async (name, id) => {
    const request = {
      subject: { type: "Person", id: name },
      action: { name: "SELL" },
      resource: { type: "Product", id },
    };
    expect(await evaluate(request, tenant)).toEqual({ decision: true });
  },
  "a query": async (name, id) => {
    const rows = await query.rows({ bearer: token, input_params: { person: name, product: id } });
    expect(rows).toEqual([{ nodes: { "p.external_id": id } }]);
  },
};

/** The time that most of the questions keep below on a quiet machine; what disturbs only adds. */
const lowerQuartile = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 4)] ?? 0;

describe("18: the time of an answer does not grow with a hub on its way", () => {
  it.each(Object.keys(ask))(
    "%s",
    async (name) => {
      const work = ask[name];
      const seen: string[] = [];
      for (let attempt = 1; attempt <= tries; attempt++) {
        const times: Record<Brand, number[]> = { small: [], large: [] };
        for (let round = 0; round < rounds; round++)
          for (const each of round % 2 === 0 ? brands : brands.toReversed()) {
            const begun = performance.now();
            await work?.(each, `${each}-${(round * 7) % sizes[each]}`);
            times[each].push(performance.now() - begun);
          }
        const [small, large] = [lowerQuartile(times.small), lowerQuartile(times.large)];
        if (large < 1.5 * small) return;
        seen.push(`${small.toFixed(2)} ms and ${large.toFixed(2)} ms`);
      }
      throw new Error(`${few} and ${10 * few} relationships into the hub: ${seen.join("; ")}`);
    },
    long(120_000, 300_000),
  );
});
