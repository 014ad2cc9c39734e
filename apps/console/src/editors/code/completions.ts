import type { DataSchema } from "@ikg/client";
import { countText } from "../../text/count-text.ts";
import { functionNames, keywords } from "./cypher-words.ts";

/** What completion of Cypher knows besides the language. */
export interface CompletionWords {
  /** Undefined while it is not known, or may not be read. */
  readonly schema: DataSchema | undefined;
  /** Types of names that the text does not bind itself, as `subject`. */
  readonly types: ReadonlyMap<string, string>;
}

export type CompletionKind = "type" | "relationship" | "property" | "keyword" | "function" | "variable";

export interface Completion {
  /** What is written. */
  readonly text: string;
  readonly kind: CompletionKind;
  readonly detail?: string;
}

export interface Completions {
  /** Where the word begins that is completed. */
  readonly from: number;
  readonly options: readonly Completion[];
}

const systemFields = ["external_id", "type", "id", "create_time", "update_time"];
const requestValues = [
  "$token.sub",
  "$token.auth_age",
  "$token.token_age",
  "$request.subject.properties.",
  "$request.resource.properties.",
  "$request.action.properties.",
  "$request.context.",
];

/** Characters before the caret that say what may stand there; patterns are short, and a text may be long. */
const lookBack = 400;

const quoted = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replaceAll("`", "``")}\``;

const unique = (texts: Iterable<string>): readonly string[] => [...new Set(texts)];

const asOptions = (texts: Iterable<string>, kind: CompletionKind): readonly Completion[] =>
  unique(texts).map((text) => ({ text, kind }));

/** Types by the names that the text gives to nodes, `(model:Model)`, and those that are known besides. */
export const typesByName = (
  text: string,
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> => {
  const found = new Map(known);
  for (const [, name = "", type = ""] of text.matchAll(/\(\s*([A-Za-z_]\w*)\s*:\s*([A-Za-z_]\w*)/g))
    found.set(name, type);
  return found;
};

const namesIn = (text: string): readonly string[] =>
  unique([...text.matchAll(/(?:[([]\s*|\bAS\s+)([A-Za-z_]\w*)/gi)].flatMap(([, name]) => name ?? []));

const nodeTypes = (schema: DataSchema): readonly Completion[] => {
  const types = Object.entries(schema.graph.nodes).map(([type, { metadata }]): Completion => {
    return { text: quoted(type), kind: "type", detail: countText(metadata.node_count, "node") };
  });
  const labels = Object.values(schema.graph.nodes).flatMap(({ metadata }) =>
    metadata.user_defined_labels.map(({ name }) => name),
  );
  const extra = unique(labels).filter((name) => !Object.hasOwn(schema.graph.nodes, name));
  return [
    ...types,
    ...extra.map((name): Completion => ({ text: quoted(name), kind: "type", detail: "label" })),
  ];
};

const relationshipTypes = ({ graph: { edges } }: DataSchema): readonly Completion[] => {
  const ends = new Map<string, string[]>();
  for (const { relation, source, target } of edges)
    ends.set(relation, [...(ends.get(relation) ?? []), `${source} → ${target}`]);
  return [...ends].map(([relation, pairs]) => ({
    text: quoted(relation),
    kind: "relationship",
    detail: pairs.length > 2 ? `${pairs.slice(0, 2).join(", ")}, …` : pairs.join(", "),
  }));
};

/** Properties of a type; of every type where it is not known. */
const propertiesOf = (schema: DataSchema, type: string | undefined): readonly Completion[] => {
  const { nodes, edges } = schema.graph;
  const known = type !== undefined && Object.hasOwn(nodes, type) ? nodes[type] : undefined;
  if (known !== undefined)
    return Object.entries(known.metadata.properties).map(([name, { types }]) => ({
      text: quoted(name),
      kind: "property",
      detail: types.map((each) => each.type).join(" | "),
    }));
  const all = [...Object.values(nodes), ...edges].flatMap(({ metadata }) => Object.keys(metadata.properties));
  return unique(all).map((name) => ({ text: quoted(name), kind: "property" }));
};

const metadataOf = (schema: DataSchema, property: string): readonly Completion[] =>
  asOptions(
    Object.values(schema.graph.nodes).flatMap(({ metadata: { properties } }) =>
      Object.hasOwn(properties, property) ? Object.keys(properties[property]?.metadata ?? {}) : [],
    ),
    "property",
  );

type Rule = readonly [
  pattern: RegExp,
  options: (match: RegExpExecArray, words: CompletionWords, text: string) => readonly Completion[],
];

const ifKnown = (
  { schema }: CompletionWords,
  options: (schema: DataSchema) => readonly Completion[],
): readonly Completion[] => (schema === undefined ? [] : options(schema));

/** What may stand at the caret, by what stands before it; the last group is the word that is being written. */
const rules: readonly Rule[] = [
  [
    /(\$[\w.]*)$/,
    (_match, _words, text) => [
      ...asOptions(
        [...text.matchAll(/\$[A-Za-z_]\w*(?![\w.])/g)].map(([name]) => name),
        "variable",
      ),
      ...asOptions(requestValues, "variable"),
    ],
  ],
  [
    /\.property\.(\w+)\.metadata\.(\w*)$/,
    ([, property = ""], words) => ifKnown(words, (schema) => metadataOf(schema, property)),
  ],
  [
    /([A-Za-z_]\w*)\.property\.(\w*)$/,
    ([, name = ""], words, text) =>
      ifKnown(words, (schema) => propertiesOf(schema, typesByName(text, words.types).get(name))),
  ],
  [/\.property\.\w+\.(\w*)$/, () => asOptions(["metadata."], "property")],
  [
    /[A-Za-z_]\w*\.(\w*)$/,
    () => [...asOptions(["property."], "property"), ...asOptions(systemFields, "property")],
  ],
  [/\[[^[\](){}]*[:|&!]\s*(\w*)$/, (_match, words) => ifKnown(words, relationshipTypes)],
  [/\([^[\](){}]*[:|&!]\s*(\w*)$/, (_match, words) => ifKnown(words, nodeTypes)],
  [
    /([A-Za-z_]\w*)$/,
    (_match, { types }, text) => [
      ...asOptions([...types.keys(), ...namesIn(text)], "variable"),
      ...asOptions(keywords, "keyword"),
      ...functionNames.map((name): Completion => ({ text: `${name}(`, kind: "function" })),
    ],
  ],
];

/**
 * What may be written at a place.
 *
 * @param isExplicit the author asked for it; else an empty word is completed only where a name must follow.
 */
export const completionsAt = (
  text: string,
  at: number,
  words: CompletionWords,
  isExplicit: boolean,
): Completions | undefined => {
  const before = text.slice(Math.max(0, at - lookBack), at);
  for (const [pattern, options] of rules) {
    const match = pattern.exec(before);
    if (match === null) continue;
    const word = match.at(-1) ?? "";
    // The word at the caret is no name yet that the text has.
    const found = options(match, words, `${text.slice(0, at - word.length)} ${text.slice(at)}`);
    return found.length === 0 ? undefined : { from: at - word.length, options: found };
  }
  if (!isExplicit) return undefined;
  return { from: at, options: asOptions([...words.types.keys(), ...namesIn(text), ...keywords], "variable") };
};
