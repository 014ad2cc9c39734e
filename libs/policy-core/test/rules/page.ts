import { readFileSync } from "node:fs";

/** A fenced block of the page of the policy language; `marks` are the words behind its language. */
export interface Block {
  readonly language: string;
  readonly marks: readonly string[];
  readonly text: string;
  /** Line of the page on which it begins, from 1. */
  readonly line: number;
}

const page = readFileSync(new URL("../../../../docs/policy-language.md", import.meta.url), "utf8");

const fence = /^```(\w+)(.*)\n([^]*?)^```$/gm;

/** Every block of the page, in its order. */
export const blocks: readonly Block[] = [...page.matchAll(fence)].map(
  ({ 1: language = "", 2: marks = "", 3: text = "", index }) => ({
    language,
    marks: marks.trim().split(" ").filter(Boolean),
    text,
    line: page.slice(0, index).split("\n").length,
  }),
);

export interface JsonBlock<T> {
  readonly block: Block;
  readonly content: T;
}

/** Blocks of JSON with this first mark, whose content has a shape that the page keeps to. */
export const jsonBlocks = <T>(mark: string): readonly JsonBlock<T>[] =>
  blocks
    .filter(({ language, marks }) => language === "json" && marks[0] === mark)
    .map((block) => ({ block, content: JSON.parse(block.text) as T })); // the examples are ours, and a test runs them
