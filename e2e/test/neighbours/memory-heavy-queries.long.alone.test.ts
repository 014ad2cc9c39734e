import { expect, it } from "@jest/globals";
import { long } from "../../src/long.ts";
import { faultyRefusals, statusesOf } from "../../src/neighbours/limit-refusal.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";
import { tryExecute } from "../../src/requests/execute.ts";

const neighbours = useNeighbours();

it("sixteen queries at once that each want more memory than there is cost the light tenant no answer", async () => {
  const { heavy } = neighbours;
  const ask = () =>
    Promise.all(Array.from({ length: 16 }, () => tryExecute({ id: heavy.queryId, page_size: 10 }, heavy)));
  const { result, faults } = await neighbours.beside(async () => {
    const answers = [];
    for (let round = 0; round < long(1, 5); round++) answers.push(...(await ask()));
    return answers;
  });
  process.stdout.write(`heavy tenant: ${JSON.stringify(statusesOf(result))}\n`);
  expect(faultyRefusals(result)).toEqual([]);
  expect(faults).toEqual([]);
}, 240_000);
