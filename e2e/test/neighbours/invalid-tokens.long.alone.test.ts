import { expect, it } from "@jest/globals";
import { long } from "../../src/long.ts";
import {
  otherStatuses,
  prepareForgedTokens,
  sendUnknownKeys,
} from "../../src/neighbours/attacks/invalid-credentials.ts";
import { statusesOf } from "../../src/neighbours/limit-refusal.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import type { Answer } from "../../src/requests/send.ts";

const neighbours = useNeighbours();

/** Requests of a storm. */
const requests = long(600, 10_000);

const requireRefused = (answers: readonly Answer[]): void => {
  process.stdout.write(`heavy tenant: ${JSON.stringify(statusesOf(answers))}\n`);
  expect(otherStatuses(answers)).toEqual({});
};

it("a storm of forged tokens is refused and costs the light tenant no answer", async () => {
  const sendForgedTokens = await prepareForgedTokens(neighbours.heavy);
  const { result, faults } = await neighbours.beside(() => sendForgedTokens(requests));
  requireRefused(result);
  expect(faults).toEqual([]);
}, 480_000);

it("a storm of unknown keys is refused and costs the light tenant no answer", async () => {
  const { result, faults } = await neighbours.beside(() => sendUnknownKeys(requests));
  requireRefused(result);
  expect(faults).toEqual([]);
}, 480_000);
