import type { ChangeRecordWithTexts } from "@ikg/client";
import { isObject, type Members } from "../../../text/json.ts";

const cypherOf = (value: unknown): unknown => {
  if (!isObject(value)) return undefined;
  const condition = value["condition"];
  return isObject(condition) ? condition["cypher"] : undefined;
};

/** JSON in lines; a text in it that has lines of its own is added below, as it was written. */
const jsonLines = (value: unknown): readonly string[] => {
  const cypher = cypherOf(value);
  const lines = JSON.stringify(value, null, 2).split("\n");
  return typeof cypher === "string" && cypher.includes("\n") ? [...lines, "", "condition:", cypher] : lines;
};

/** What a language text says, where it is JSON. */
const valueOf = (member: unknown): unknown => {
  if (typeof member !== "string") return member;
  try {
    return JSON.parse(member) as unknown;
  } catch {
    return member;
  }
};

const isText = (name: string): boolean => name === "policy" || name === "query";

/** The content of the policy or query of a name in lines, as people compare it; empty for one that is not there. */
export const readableContent = (name: string, content: Members | undefined): string => {
  if (content === undefined) return "";
  // It is shown as the name where it is not set.
  const isShown = (member: string): boolean => member !== "display_name" || content[member] !== name;
  const names = Object.keys(content)
    .filter(isShown)
    .toSorted((one, other) => Number(isText(one)) - Number(isText(other)));
  return names
    .flatMap((member) => {
      const value = valueOf(content[member]);
      if (isObject(value)) return ["", `${member}:`, ...jsonLines(value)];
      return [`${member}: ${Array.isArray(value) ? value.join(", ") : String(value)}`];
    })
    .concat("")
    .join("\n");
};

type Transition = Pick<
  ChangeRecordWithTexts["changes"][number],
  "collection" | "op" | "from_version" | "to_version"
>;

const kinds = { "authorization-policies": "policy", "knowledge-queries": "query" } as const;

export const kindOf = ({ collection }: Pick<Transition, "collection">): "policy" | "query" =>
  kinds[collection];

/** What became of a record, as "created", "changed to version 3" or "removed". */
export const transitionText = ({ op, from_version: from, to_version: to }: Transition): string => {
  if (op === "delete") return "removed";
  return from === 0 ? "created" : `changed to version ${to}`;
};

/** What a revert of it does. */
export const inverseText = ({ op, from_version: from }: Transition): string => {
  if (op === "delete") return "is restored";
  return from === 0 ? "is removed" : `is restored to version ${from}`;
};
