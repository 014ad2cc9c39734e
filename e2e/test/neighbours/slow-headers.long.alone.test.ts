import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "@jest/globals";
import { long } from "../../src/long.ts";
import { gatewayAddress } from "../../src/neighbours/attacks/malformed-requests.ts";
import { useNeighbours } from "../../src/neighbours/neighbours.ts";

const neighbours = useNeighbours();

/** Opens connections without a credential that send a byte a second. @returns how long each stayed open, in ms */
const trickle = (count: number, text: string, forMs: number): Promise<readonly number[]> => {
  const { hostname, port } = gatewayAddress();
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ host: hostname, port });
      const began = performance.now();
      const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
      socket.on("error", () => {});
      socket.resume();
      for (let at = 0; !socket.destroyed && performance.now() - began < forMs; at++) {
        socket.write(text[at % text.length] ?? "x");
        await Promise.race([closed, pause(1_000)]);
      }
      socket.destroy();
      return performance.now() - began;
    }),
  );
};

/** Milliseconds after which a connection that has not sent a whole head is ended. */
const headWithinMs = 30_000;

it("trickling connections cost the light tenant no answer, and end within half a minute", async () => {
  const text = `GET /access/v1/metadata HTTP/1.1\r\nHost: a\r\n${"X-Filler: ".padEnd(4_000, "x")}`;
  const forMs = headWithinMs + 10_000;
  const { result, faults } = await neighbours.beside(() => trickle(long(300, 500), text, forMs));
  expect(Math.max(...result)).toBeLessThan(headWithinMs);
  expect(faults).toEqual([]);
}, 240_000);
