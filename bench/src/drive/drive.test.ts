import { describe, expect, it } from "@jest/globals";
import { answersOf } from "./answers.ts";
import { driveGraph, makeDrive } from "./drive.ts";
import { nodeCount } from "./graph.ts";
import { makeQuestions } from "./questions.ts";
import { handWritten } from "./rules.ts";

const drive = makeDrive("S", 1);

const depthOf = (parents: readonly number[], n: number): number => {
  const parent = parents[n] ?? -1;
  return parent < 0 ? 1 : 1 + depthOf(parents, parent);
};

const deepest = (parents: readonly number[]): number =>
  Math.max(...parents.map((_, n) => depthOf(parents, n)));

describe("makeDrive", () => {
  it("has ten thousand nodes, folders of depth 8 and nested groups", () => {
    expect(nodeCount(driveGraph(drive))).toBe(10_000);
    expect([deepest(drive.parentOfFolder), deepest(drive.parentOfGroup)]).toEqual([8, 4]);
  });

  it("repeats itself", () => {
    expect(JSON.stringify(makeDrive("S", 1)) === JSON.stringify(drive)).toBe(true);
    expect(JSON.stringify(makeDrive("S", 2)) === JSON.stringify(drive)).toBe(false);
  });

  it("names ends that exist", () => {
    const { nodes, relationships } = driveGraph(drive);
    const counts = new Map(nodes.map(({ type, count }) => [type, count]));
    for (const { source, target, pairs } of relationships)
      for (const [a, b] of pairs)
        expect(a < (counts.get(source) ?? 0) && b < (counts.get(target) ?? 0) && a >= 0 && b >= 0).toBe(true);
  });
});

describe.each(["READ", "VIEW"] as const)("questions of %s", (action) => {
  const questions = makeQuestions(drive, action, 4_000, 1);
  const share = (chosen: (typeof questions)[number][]) => chosen.length / questions.length;

  it("are allowed by half, and name by a fifth who does not exist", () => {
    expect(share(questions.filter(({ expected }) => expected))).toBeCloseTo(0.5, 1);
    const unknown = questions.filter(
      ({ attributes: { subject, resource } }) =>
        subject.clearance === undefined || resource.level === undefined,
    );
    expect(share(unknown)).toBeCloseTo(0.2, 1);
    expect(unknown.some(({ expected }) => expected)).toBe(false);
  });

  it("are answered from the data", () => {
    const number = (id: string): number => Number(id.split("-")[1]);
    for (const { person, document, expected } of questions)
      expect(answersOf(drive)[action](number(person), number(document))).toBe(expected);
  });
});

describe("handWritten", () => {
  it("pins both ends and names the project in every label", () => {
    const [text] = handWritten("READ", "p1");
    expect(text).toContain(
      "(subject:Person__p1&_Node {_key: $subject})-[:OWNS]->(resource:Document__p1&_Node",
    );
    expect(handWritten("VIEW", "p1")).toHaveLength(3);
    for (const each of handWritten("VIEW", "p1")) expect(each).not.toMatch(/:(Folder|Group)\b(?!__)/);
  });
});
