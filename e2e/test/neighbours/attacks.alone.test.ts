/**
 * The attacks that `npm test` carries out, on one pair of tenants, since their set-up takes longer than an attack.
 * The long files of this folder repeat some of them at length, and carry out more.
 */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { inParallel } from "../../../stack/src/measurement/in-parallel.ts";
import { storePolicy, trySavePolicy } from "../../src/configuration/save-policy.ts";
import type { Tenant } from "../../src/configuration/tenant.ts";
import { environment } from "../../src/environment.ts";
import { freshName } from "../../src/fresh-name.ts";
import { long } from "../../src/long.ts";
import {
  otherStatuses,
  prepareForgedTokens,
  sendUnknownKeys,
  type Storm,
} from "../../src/neighbours/attacks/invalid-credentials.ts";
import { largePatterns, validatePattern } from "../../src/neighbours/attacks/large-patterns.ts";
import { malformedRequests, sendMalformed } from "../../src/neighbours/attacks/malformed-requests.ts";
import { ciqBomb, growth, kbacBomb } from "../../src/neighbours/attacks/memory-bombs.ts";
import {
  captureManyNodeTypes,
  captureManyProperties,
  captureManyRelationshipTypes,
  nameLimits,
} from "../../src/neighbours/attacks/too-many-names.ts";
import { blankLines, gzipBomb, tooMuch, upload } from "../../src/neighbours/attacks/uploads.ts";
import { faultyRefusals, statusesOf } from "../../src/neighbours/limit-refusal.ts";
import { useBareNeighbours, useNeighbours } from "../../src/neighbours/neighbours.ts";
import { configs } from "../../src/requests/configs.ts";
import { requireRefusal } from "../../src/requests/refusal.ts";
import { send } from "../../src/requests/send.ts";

const neighbours = long(useBareNeighbours, useNeighbours)(nameLimits);

describe("a condition whose value grows", () => {
  it.each(growth)("%s is refused when it is saved, with its place", async (_name, where) => {
    const { projectId } = neighbours.heavy;
    const bombs = [kbacBomb(where), ciqBomb(where.replaceAll("subject.property", "resource.property"))];
    await inParallel(bombs, async (policy) => {
      const errors = requireRefusal(await trySavePolicy(projectId, { policy }), 422);
      expect(errors.join()).toMatch(/condition\.cypher: .*\(line 1, column \d+\)/);
    });
  });

  it("is refused by validation, and when a draft becomes active", async () => {
    const { projectId } = neighbours.heavy;
    const [, where = ""] = growth[0] ?? [];
    const policy = JSON.stringify(kbacBomb(where));
    const record = { project_id: projectId, name: freshName("bomb"), policy, status: "ACTIVE" };
    requireRefusal(await configs("/authorization-policies/validate", { json: record }), 422);
    const draft = await storePolicy(projectId, { policy, status: "DRAFT" });
    requireRefusal(
      await configs(`/authorization-policies/${draft}`, { method: "PUT", json: { status: "ACTIVE" } }),
      422,
    );
  });
});

it("an owner of another organization finds no project whose graph could be read", async () => {
  const headers = { Authorization: `Bearer ${environment().service_account_token}` };
  const path = `/graph/v1/nodes?project_id=${encodeURIComponent(neighbours.light.projectId)}`;
  requireRefusal(await send(path, { headers }), 404);
});

/** Milliseconds that one validation of a text may take beside others. */
const validatedWithinMs = 20_000;

/** Validates patterns, none of which the planner has seen. */
const validateLargePatterns = async ({ projectId }: Tenant): Promise<void> => {
  const patterns = largePatterns(long(12, 200));
  const result = await inParallel(patterns, (cypher) => validatePattern(projectId, cypher));
  const answers = result.map(({ answer }) => answer);
  const slowest = Math.max(...result.map(({ ms }) => ms));
  process.stdout.write(
    `heavy tenant: ${JSON.stringify(statusesOf(answers))}, slowest ${Math.round(slowest)} ms\n`,
  );
  expect(faultyRefusals(answers)).toEqual([]);
  expect(slowest).toBeLessThan(validatedWithinMs);
};

it.each(malformedRequests)("%s: refused, and the connection ends", async (_name, lines, content) => {
  const { text, isClosed } = await sendMalformed(neighbours.light.key, lines, content);
  expect(text).toMatch(/^HTTP\/1\.1 (400|501) /);
  expect(text).not.toContain("decision");
  expect(isClosed).toBe(true);
});

describe("attacks while the light tenant works", () => {
  const bomb = gzipBomb(3);
  let sendForgedTokens: Storm;
  beforeAll(async () => {
    sendForgedTokens = await prepareForgedTokens(neighbours.heavy);
  });

  type Attack = readonly [name: string, run: (heavy: Tenant) => Promise<void>];
  /** Attacks that run one after the other while the light tenant works. */
  type Group = readonly [name: string, attacks: readonly Attack[]];

  const attacks: readonly Attack[] = [
    ["validations of large patterns", validateLargePatterns],
    [
      "values that grow",
      async ({ projectId }) => {
        const answers = await Promise.all(
          growth.map(([, where]) => trySavePolicy(projectId, { policy: kbacBomb(where) })),
        );
        expect(statusesOf(answers)).toEqual({ 422: growth.length });
      },
    ],
    [
      "property names",
      async (heavy) => {
        const errors = requireRefusal(await captureManyProperties(heavy), 422);
        expect(errors.join()).toMatch(/property_names.*60/);
      },
    ],
    [
      "relationship types",
      async (heavy) => {
        const errors = requireRefusal(await captureManyRelationshipTypes(heavy), 422);
        expect(errors.join()).toMatch(/relationship_types.*20/);
      },
    ],
    [
      "node types",
      async (heavy) => {
        const errors = requireRefusal(await captureManyNodeTypes(heavy), 422);
        expect(errors.join()).toMatch(/node_types.*20/);
      },
    ],
    [
      "a compressed upload that grows",
      async (heavy) => void requireRefusal(await upload(heavy, bomb, "gzip"), ...tooMuch),
    ],
    [
      "an upload of blank lines",
      async (heavy) => void requireRefusal(await upload(heavy, blankLines(5)), ...tooMuch),
    ],
    ["forged tokens", async () => expect(otherStatuses(await sendForgedTokens(long(60, 120)))).toEqual({})],
    ["unknown keys", async () => expect(otherStatuses(await sendUnknownKeys(long(60, 120)))).toEqual({})],
  ];

  /** The long run shows which of them costs the light tenant something; `npm test` has no time to run each apart. */
  const groups = long<readonly Group[]>(
    [["validations, values, names, uploads and credentials", attacks]],
    attacks.map((attack): Group => [attack[0], [attack]]),
  );

  it.each(groups)(
    "cost the light tenant no answer: %s",
    async (_name, group) => {
      const { heavy } = neighbours;
      const { faults } = await neighbours.beside(async () => {
        for (const [name, run] of group) {
          const began = performance.now();
          await run(heavy);
          process.stdout.write(`heavy tenant: ${name}, ${Math.round(performance.now() - began)} ms\n`);
        }
      });
      expect(faults).toEqual([]);
    },
    240_000,
  );
});
