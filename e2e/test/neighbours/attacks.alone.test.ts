/**
 * The attacks that `npm test` carries out, on one pair of tenants, since their set-up takes longer than an attack.
 * The long files of this folder have longer forms of some, and others.
 */
import { describe, expect, it } from "@jest/globals";
import { configs } from "../../src/configs.ts";
import { freshName } from "../../src/fresh-name.ts";
import { inParallel } from "../../src/in-parallel.ts";
import { long } from "../../src/long.ts";
import {
  otherStatuses,
  prepareForgedTokens,
  sendUnknownKeys,
} from "../../src/neighbours/attacks/invalid-credentials.ts";
import { largePatterns, validatePattern } from "../../src/neighbours/attacks/large-patterns.ts";
import { malformed, sendMalformed } from "../../src/neighbours/attacks/malformed-requests.ts";
import { ciqBomb, growth, kbacBomb } from "../../src/neighbours/attacks/memory-bombs.ts";
import {
  captureManyNodeTypes,
  captureManyProperties,
  captureManyRelationshipTypes,
  nameLimits,
} from "../../src/neighbours/attacks/too-many-names.ts";
import { blankLines, gzipBomb, tooMuch, upload } from "../../src/neighbours/attacks/uploads.ts";
import { faultyRefusals, statusesOf } from "../../src/neighbours/limit-refusal.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import { requireRefusal } from "../../src/refusal.ts";
import { storePolicy, trySavePolicy } from "../../src/save-policy.ts";

const neighbours = useNeighbours(nameLimits);

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

/** Milliseconds that one validation of a text may take beside others. */
const validatedWithinMs = 20_000;

it("a storm of validations of large patterns costs the light tenant no answer", async () => {
  const { projectId } = neighbours.heavy;
  const { result, faults } = await neighbours.beside(() =>
    inParallel(largePatterns(long(24, 200)), (cypher) => validatePattern(projectId, cypher)),
  );
  const answers = result.map(({ answer }) => answer);
  const slowest = Math.max(...result.map(({ ms }) => ms));
  process.stdout.write(
    `heavy tenant: ${JSON.stringify(statusesOf(answers))}, slowest ${Math.round(slowest)} ms\n`,
  );
  expect(faultyRefusals(answers)).toEqual([]);
  expect(slowest).toBeLessThan(validatedWithinMs);
  expect(faults).toEqual([]);
}, 240_000);

it.each(malformed)("%s: refused, and the connection ends", async (_name, lines, content) => {
  const received = await sendMalformed(neighbours.light.key, lines, content);
  expect(received).toMatch(/^HTTP\/1\.1 (400|501) /);
  expect(received).not.toContain("decision");
});

it("what is refused costs the light tenant no answer: values that grow, names, uploads, credentials", async () => {
  const { heavy } = neighbours;
  const sendForgedTokens = await prepareForgedTokens(heavy);
  const bomb = gzipBomb(3);
  const { result, faults } = await neighbours.beside(async () => ({
    bombs: await Promise.all(
      growth.map(([, where]) => trySavePolicy(heavy.projectId, { policy: kbacBomb(where) })),
    ),
    properties: await captureManyProperties(heavy),
    relationships: await captureManyRelationshipTypes(heavy),
    nodes: await captureManyNodeTypes(heavy),
    grown: await upload(heavy, bomb, "gzip"),
    blank: await upload(heavy, blankLines(5)),
    forged: await sendForgedTokens(120),
    unknown: await sendUnknownKeys(120),
  }));
  expect(statusesOf(result.bombs)).toEqual({ 422: growth.length });
  expect(requireRefusal(result.properties, 422).join()).toMatch(/property_names.*60/);
  expect(requireRefusal(result.relationships, 422).join()).toMatch(/relationship_types.*20/);
  expect(requireRefusal(result.nodes, 422).join()).toMatch(/node_types.*20/);
  requireRefusal(result.grown, ...tooMuch);
  requireRefusal(result.blank, ...tooMuch);
  expect(otherStatuses(result.forged)).toEqual({});
  expect(otherStatuses(result.unknown)).toEqual({});
  expect(faults).toEqual([]);
}, 120_000);
