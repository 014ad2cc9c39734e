import { describe, expect, it } from "@jest/globals";
import { nodes } from "./nodes.ts";
import { policies } from "./policies.ts";
import { profiles } from "./profiles.ts";
import { queries } from "./queries.ts";
import { decisionQuestions, queryQuestions, searchQuestions } from "./questions.ts";
import { relationships } from "./relationships.ts";

const keyOf = ({ type, external_id }: { type: string; external_id: string }): string =>
  `${type}/${external_id}`;
const keys = new Set(nodes.map(keyOf));

describe("the film archive", () => {
  it("has sixty nodes of five types, none twice", () => {
    expect(keys.size).toBe(60);
    expect(nodes).toHaveLength(60);
    expect(new Set(nodes.map(({ type }) => type)).size).toBe(5);
  });

  it("joins only nodes that exist, each pair once", () => {
    const ends = relationships.flatMap(({ source, target }) => [keyOf(source), keyOf(target)]);
    expect(ends.filter((key) => !keys.has(key))).toEqual([]);
    const edges = relationships.map(
      ({ source, type, target }) => `${keyOf(source)} ${type} ${keyOf(target)}`,
    );
    expect(new Set(edges).size).toBe(edges.length);
  });

  it("puts one reel on one shelf", () => {
    const shelves = relationships
      .filter(({ type }) => type === "LIES_IN")
      .map(({ target, properties }) => `${target.external_id} ${JSON.stringify(properties)}`);
    expect(new Set(shelves).size).toBe(nodes.filter(({ type }) => type === "Reel").length);
  });

  it("asks about nodes and queries that exist", () => {
    const references = [
      ...decisionQuestions.flatMap(({ subject, resource }) => [subject, resource]),
      ...searchQuestions.map(({ subject }) => subject),
    ];
    expect(references.filter(({ type, id }) => !keys.has(`${type}/${id}`))).toEqual([]);
    const names = new Set(queries.map(({ name }) => name));
    expect(queryQuestions.filter(({ query }) => !names.has(query))).toEqual([]);
  });

  it("scores types that exist", () => {
    const types = new Set(nodes.map(({ type }) => type));
    expect(profiles.filter(({ node_classification: type }) => !types.has(type))).toEqual([]);
  });

  it("has a policy for every query, and a question for every policy", () => {
    const names = new Set(policies.map(({ name }) => name));
    expect(queries.filter(({ policy }) => !names.has(policy))).toEqual([]);
    const actions = new Set([...decisionQuestions, ...searchQuestions].map(({ action }) => action));
    const policiesWithoutQuestion = policies.filter(
      ({ name, policy }) =>
        !queries.some((query) => query.policy === name) &&
        !(
          "actions" in policy &&
          Array.isArray(policy.actions) &&
          policy.actions.every((each) => actions.has(each))
        ),
    );
    expect(policiesWithoutQuestion).toEqual([]);
  });
});
