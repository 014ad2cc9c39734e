import type { Entity } from "@ikg/client";
import { InvalidArgumentError } from "commander";

/** Parses `Type/id`; the id may contain slashes. */
export const entityOf = (text: string): Entity => {
  const at = text.indexOf("/");
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError(`Type/id expected, for example Person/ann.`);
  return { type: text.slice(0, at), id: text.slice(at + 1) };
};

export const entityText = ({ type, id }: { readonly type: string; readonly id: string }): string =>
  `${type}/${id}`;

/** Parses a node type. */
export const typeOf = (text: string): string => {
  if (text === "" || text.includes("/"))
    throw new InvalidArgumentError("a type expected, for example Document.");
  return text;
};
