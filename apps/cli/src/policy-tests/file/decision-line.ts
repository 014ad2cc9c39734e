import { Scanner, ShortFormError } from "./scanner.ts";
import type { Entity } from "./world.ts";

/** A subject or resource as written: a type and an id, or one name. */
export interface WrittenEntity {
  readonly words: readonly string[];
  readonly offset: number;
}

/** A question and the expected answer in one line. */
export interface DecisionLine {
  readonly subject: WrittenEntity;
  readonly granted: boolean;
  readonly action: string;
  readonly resource: Entity;
  readonly params: Readonly<Record<string, unknown>> | undefined;
}

const form = "SUBJECT may [not] ACTION TYPE ID {parameter: value}";

export const parseDecisionLine = (text: string): DecisionLine => {
  const scanner = new Scanner(text);
  const { offset } = scanner;
  const words: string[] = [];
  while (!scanner.takeWord("may")) {
    if (scanner.isAtEnd) throw new ShortFormError(offset, `${form} expected`);
    words.push(scanner.word("the subject"));
  }
  if (words.length === 0 || words.length > 2)
    throw new ShortFormError(offset, "TYPE ID or a name of `people` expected before `may`");
  const granted = !scanner.takeWord("not");
  const action = scanner.word("the action");
  const resource = {
    type: scanner.name("the type of the resource"),
    id: scanner.word("the id of the resource"),
  };
  const params = scanner.map();
  scanner.end();
  return { subject: { words, offset }, granted, action, resource, params };
};

export const parseEntity = (text: string): WrittenEntity => {
  const scanner = new Scanner(text);
  const { offset } = scanner;
  const words = [scanner.word("TYPE ID, or a name of `people`,")];
  if (!scanner.isAtEnd) words.push(scanner.word("the id"));
  scanner.end();
  return { words, offset };
};
