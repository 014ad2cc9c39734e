import { readFileSync } from "node:fs";

/** A fenced block of a page of `docs/`; `marks` are the words behind its language. */
export interface Block {
  readonly language: string;
  readonly marks: readonly string[];
  readonly text: string;
  /** Line of the page on which it begins, from 1. */
  readonly line: number;
}

const fence = /^```(\w+)(.*)\n([^]*?)^```$/gm;

/** Every block of a page, in its order. @param name such as `policy-language.md` */
export const blocksOf = (name: string): readonly Block[] => {
  const page = readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8");
  return [...page.matchAll(fence)].map(({ 1: language = "", 2: marks = "", 3: text = "", index }) => ({
    language,
    marks: marks.trim().split(" ").filter(Boolean),
    text,
    line: page.slice(0, index).split("\n").length,
  }));
};

/** The page of the policy language. */
export const blocks: readonly Block[] = blocksOf("policy-language.md");

export interface JsonBlock<T> {
  readonly block: Block;
  readonly content: T;
}

/** Blocks of JSON with this first mark, whose content has a shape that the page keeps to. */
export const jsonBlocks = <T>(mark: string, from = blocks): readonly JsonBlock<T>[] =>
  from
    .filter(({ language, marks }) => language === "json" && marks[0] === mark)
    .map((block) => ({ block, content: JSON.parse(block.text) as T })); // the examples are ours, and a test runs them
