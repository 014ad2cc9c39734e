import { describe, expect, it } from "@jest/globals";
import {
  failureOf,
  ikg,
  node,
  ownerships,
  papers,
  people,
  persons,
} from "../../src/fixtures/client-project.ts";

describe("captures", () => {
  it("write more nodes and relationships than a request takes", async () => {
    const nodes = await ikg.capture.nodes(people);
    const others = await ikg.capture.nodes(papers);
    const relationships = await ikg.capture.relationships(ownerships);
    for (const { results } of [nodes, others, relationships]) {
      expect(results).toHaveLength(300);
      expect(new Set(results.map(({ id }) => id)).size).toBe(300);
    }
  });

  it("name what is wrong by its place among all items", async () => {
    const wrong = persons.map((id, at) => (at === 270 ? node("1", id) : node("Person", id)));
    const error = await failureOf(ikg.capture.nodes(wrong));
    expect([error.status, error.code]).toEqual([400, "invalid_request"]);
    expect(error.errors[0]).toMatch(/^nodes\[270\]\.type: /);
    expect(error.requestId).toBeTruthy();
  });

  it("skip relationships whose ends are missing, and delete", async () => {
    const missing = { source: { type: "Person", external_id: "p0" }, type: "KNOWS" };
    const { skipped } = await ikg.capture.relationships(
      [{ ...missing, target: { type: "Person", external_id: "nobody" } }],
      { onMissing: "skip" },
    );
    expect(skipped).toEqual([{ index: 0, reason: "target: node does not exist" }]);
    const [saved] = (await ikg.capture.nodes([node("Person", "gone", { age: 7, size: 2 })])).results;
    const ref = { type: "Person", external_id: "gone" };
    expect(await ikg.capture.putNode(saved?.id ?? "", { labels: ["Former"] })).toMatchObject({
      id: saved?.id,
    });
    const knows = { source: { type: "Person", external_id: "p0" }, type: "KNOWS", target: ref };
    await ikg.capture.relationships([{ ...knows, properties: [{ type: "since", value: 1 }] }]);
    const deletions = [
      await ikg.capture.deleteNodeProperties([{ ...ref, property_types: ["age"] }]),
      await ikg.capture.deleteNodeMetadata([{ ...ref, property_type: "size", metadata_fields: ["source"] }]),
      await ikg.capture.deleteRelationshipProperties([{ ...knows, property_types: ["since"] }]),
      await ikg.capture.deleteRelationships([knows]),
      await ikg.capture.deleteNodes([ref]),
    ];
    expect(deletions.map(({ results }) => results.length)).toEqual([1, 1, 1, 1, 1]);
  });

  it("import lines with progress, and list what was rejected", async () => {
    async function* lines() {
      for (const id of persons) yield { node: node("Cadet", id) };
      yield { node: node("1", "wrong") };
    }
    const job = await ikg.capture.import(lines());
    const states: string[] = [];
    for await (const { status } of job.progress({ everyMs: 100 })) states.push(status);
    expect(states.at(-1)).toBe("done");
    const state = await job.state();
    expect([state.nodes.written, state.rejected.count]).toEqual([300, 1]);
    expect((await job.rejected().toArray()).map(({ line }) => line)).toEqual([301]);
    expect((await ikg.capture.imports()).map(({ id }) => id)).toContain(job.id);
    expect((await failureOf(ikg.capture.job(job.id).cancel())).code).toBe("conflict");
  });
});
