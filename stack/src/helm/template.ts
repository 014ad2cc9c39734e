/** Objects of Kubernetes as the text of a Helm template: YAML whose values, entries and items may be actions. */
import { stringify } from "yaml";

/** A value that Helm computes: the text between `{{` and `}}`. */
export class Expression {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Below a key, what an expression gives as YAML. */
export class Block {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Node =
  | string
  | number
  | boolean
  | null
  | Expression
  | Block
  | readonly Node[]
  | { readonly [key: string]: Node };
export type Tree = { readonly [key: string]: Node };

/** What a key begins with that is an action around the entries, or the items, below it. */
const action = "{{- ";
/** What a key begins with that is replaced by entries, or items, of an expression. */
const inclusion = "{{+ ";

/** Entries, or the item with them, that are there only in the block of an action such as `if` or `with`. */
export const within = (text: string, content: Node): Tree => ({ [`${action}${text} }}`]: content });

/** Entries, or items, that an expression gives as YAML. */
export const included = (text: string): Tree => ({ [`${inclusion}${text}`]: null });

export const isTree = (node: Node): node is Tree =>
  typeof node === "object" &&
  node !== null &&
  !Array.isArray(node) &&
  !(node instanceof Expression) &&
  !(node instanceof Block);

/** @throws Error for what is no text */
export const textOf = (node: Node | undefined): string => {
  if (typeof node !== "string") throw new Error(`a string expected, not ${JSON.stringify(node)}`);
  return node;
};

/** The items of a list; none of what is no list, or absent. */
export const itemsOf = (node: Node | undefined): readonly Node[] => (Array.isArray(node) ? node : []);

const isList = (node: Node): node is readonly Node[] => Array.isArray(node);

const pad = (indent: number): string => " ".repeat(indent);

/** Helm reads YAML 1.1, where `off` is no text. */
export const yamlOptions = { lineWidth: 0, compat: "yaml-1.1" } as const;

/** @throws Error for a text that Helm would take for an action */
const literal = (value: unknown, indent: number): readonly string[] => {
  const text = stringify(value, yamlOptions);
  if (text.includes("{{")) throw new Error(`Helm would evaluate ${text}`);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => (line === "" ? "" : pad(indent) + line));
};

const entry = (key: string, value: Node, indent: number): readonly string[] => {
  const before = pad(indent);
  if (key.startsWith(inclusion))
    return [`${before}{{- ${key.slice(inclusion.length)} | nindent ${indent} }}`];
  if (key.startsWith(action)) return [`${before}${key}`, ...linesOf(value, indent), `${before}{{- end }}`];
  if (value instanceof Expression) return [`${before}${key}: {{ ${value.text} }}`];
  if (value instanceof Block)
    return [`${before}${key}:`, `${pad(indent + 2)}{{- ${value.text} | nindent ${indent + 2} }}`];
  const hasLines = isList(value) ? value.length > 0 : isTree(value) && Object.keys(value).length > 0;
  return hasLines ? [`${before}${key}:`, ...linesOf(value, indent + 2)] : literal({ [key]: value }, indent);
};

const item = (node: Node, indent: number): readonly string[] => {
  if (node instanceof Expression) return [`${pad(indent)}- {{ ${node.text} }}`];
  if (!isTree(node)) return literal([node], indent);
  const [key = ""] = Object.keys(node);
  if (key.startsWith("{{")) return entry(key, node[key] ?? null, indent);
  const [first = "", ...rest] = linesOf(node, indent + 2);
  return [`${pad(indent)}- ${first.trimStart()}`, ...rest];
};

const linesOf = (node: Node, indent: number): readonly string[] => {
  if (isList(node)) return node.flatMap((each) => item(each, indent));
  if (isTree(node)) return Object.entries(node).flatMap(([key, value]) => entry(key, value, indent));
  throw new Error("a template is made of entries and items");
};

/** The lines of one object, or of entries. */
export const printTemplate = (tree: Tree): string => `${linesOf(tree, 0).join("\n")}\n`;
