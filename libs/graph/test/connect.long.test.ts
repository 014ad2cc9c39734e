import { expect, it } from "@jest/globals";
import { unavailable, useConnections } from "./connections.ts";

const { graphAt, listen } = useConnections();

it("a graph is unavailable within 5 seconds when a server never answers", async () => {
  const port = await listen(() => undefined);
  const graph = graphAt({ uri: `bolt://127.0.0.1:${port}` });
  const started = performance.now();
  const [read, ready] = await Promise.all([
    graph.shared.read("RETURN 1", {}, { timeoutMs: 30_000 }).catch((error: unknown) => error),
    graph.ready().then((value) => [value, performance.now() - started] as const),
  ]);
  expect(read).toMatchObject(unavailable);
  expect(performance.now() - started).toBeLessThan(6_000);
  expect(ready[0]).toBe(false);
  expect(ready[1]).toBeLessThan(2_500);
});
