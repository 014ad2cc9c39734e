import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "@swc/core";

/** Part of a syntax tree; only the members that are looked at. */
type Tree = { readonly type?: string } & Readonly<Record<string, unknown>>;

const source = fileURLToPath(new URL("../../src/", import.meta.url));

/** A text of a refusal as it stands in the source; values that are put into it are `undefined` parts. */
export interface FaultText {
  readonly file: string;
  readonly parts: readonly (string | undefined)[];
}

/** Which argument of a call is the text of a refusal, by the method that is called. */
const methods: Readonly<Record<string, number>> = { note: 0, refuse: 0, fault: 1, add: 1 };

/** The same by the function or class. */
const functions: Readonly<Record<string, number>> = {
  readName: 3,
  optional: 2,
  LexicalFault: 0,
  RegexFault: 0,
  ParseError: 0,
};

/** Methods of these names that make no refusal. */
const others: ReadonlySet<string> = new Set([
  "names.add",
  "seen.add",
  "used.add",
  "conditions.add",
  "strings.add",
  "known.add",
  "all.add",
  "needs.add",
  "report.needs.add",
  "constituents.add",
]);

interface Module {
  readonly file: string;
  readonly tree: Tree;
  /** What each name is declared as, anywhere in the file. */
  readonly declared: ReadonlyMap<string, readonly Tree[]>;
  readonly parameters: ReadonlySet<string>;
  readonly imported: ReadonlyMap<string, string>;
}

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

const childrenOf = (tree: Tree): readonly Tree[] =>
  Object.values(tree).flatMap((value) =>
    Array.isArray(value) ? (value as readonly unknown[]).filter(isTree) : isTree(value) ? [value] : [],
  );

function* within(tree: Tree): Generator<Tree, void> {
  yield tree;
  for (const child of childrenOf(tree)) yield* within(child);
}

const textOf = (tree: unknown, member: string): string =>
  isTree(tree) && typeof tree[member] === "string" ? tree[member] : "";

const nameOf = (tree: unknown): string => textOf(tree, "value");

const add = (map: Map<string, Tree[]>, name: string, tree: unknown): void => {
  if (!isTree(tree) || name === "") return;
  map.set(name, [...(map.get(name) ?? []), tree]);
};

const read = (file: string): Module => {
  // The parser's own types do not say what every tree has in common.
  const tree = parseSync(readFileSync(join(source, file), "utf8"), {
    syntax: "typescript",
    target: "es2022",
  }) as unknown as Tree;
  const declared = new Map<string, Tree[]>();
  const parameters = new Set<string>();
  const imported = new Map<string, string>();
  for (const each of within(tree)) {
    if (each.type === "VariableDeclarator") add(declared, nameOf(each["id"]), each["init"]);
    if (each.type === "AssignmentExpression") add(declared, nameOf(each["left"]), each["right"]);
    if (each.type === "Parameter" || each.type === "ArrowFunctionExpression") {
      for (const inner of Array.isArray(each["params"]) ? (each["params"] as Tree[]) : [each])
        for (const name of within(isTree(inner["pat"]) ? inner["pat"] : inner))
          if (name.type === "Identifier") parameters.add(nameOf(name));
    }
    if (each.type === "ImportDeclaration") {
      const from = nameOf(each["source"]);
      for (const specifier of each["specifiers"] as readonly Tree[])
        // a declaration always has the list
        if (from.startsWith(".")) imported.set(nameOf(specifier["local"]), join(dirname(file), from));
    }
  }
  return { file, tree, declared, parameters, imported };
};

const modules: ReadonlyMap<string, Module> = new Map(
  readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.(test|arbitrary)\.ts$/.test(file))
    // What explains and advises refuses nothing.
    .filter((file) => !/^(explain|warnings)\//.test(file))
    .map((file) => [file, read(file)]),
);

/** The text of a callee: `report.fault`, `faults.add`. */
const calleeOf = (tree: unknown): string => {
  if (!isTree(tree)) return "";
  if (tree.type === "MemberExpression") return `${calleeOf(tree["object"])}.${nameOf(tree["property"])}`;
  return tree.type === "ThisExpression" ? "this" : nameOf(tree);
};

type Parts = readonly (string | undefined)[];

/** Every text that an expression can be; throws where this cannot be told from the source. */
const textsOf = (tree: unknown, module: Module, seen: ReadonlySet<unknown> = new Set()): readonly Parts[] => {
  if (!isTree(tree) || seen.has(tree)) return [];
  const around = new Set([...seen, tree]);
  const follow = (each: unknown): readonly Parts[] => textsOf(each, module, around);
  switch (tree.type) {
    case "StringLiteral":
      return [[nameOf(tree)]];
    case "TemplateLiteral": {
      const quasis = tree["quasis"] as readonly Tree[]; // a template always has them
      const parts = quasis.flatMap((quasi, index) => [
        textOf(quasi, "cooked"),
        ...(index + 1 < quasis.length ? [undefined] : []),
      ]);
      return [parts];
    }
    case "BinaryExpression":
      if (tree["operator"] !== "+") return [...follow(tree["left"]), ...follow(tree["right"])];
      return follow(tree["left"]).flatMap((left) =>
        follow(tree["right"]).map((right) => [...left, ...right]),
      );
    case "ConditionalExpression":
      return [...follow(tree["consequent"]), ...follow(tree["alternate"])];
    case "ParenthesisExpression":
      return follow(tree["expression"]);
    case "ArrowFunctionExpression":
      return isTree(tree["body"]) && /^(FunctionBody|BlockStatement)$/.test(tree["body"].type ?? "")
        ? returnsOf(tree["body"]).flatMap(follow)
        : follow(tree["body"]);
    case "CallExpression":
      return follow(tree["callee"]);
    case "Identifier": {
      const name = nameOf(tree);
      const from = module.imported.get(name);
      const other = from === undefined ? undefined : modules.get(from);
      if (other !== undefined)
        return (other.declared.get(name) ?? []).flatMap((each) => textsOf(each, other, around));
      return (module.declared.get(name) ?? []).flatMap(follow);
    }
    case "ObjectExpression":
    case "MemberExpression":
      // Texts that were made elsewhere; objects with a text of their own are found by their key.
      return [];
    default:
      throw new Error(`${module.file}: no text can be told from a ${tree.type}`);
  }
};

/** What a function returns, functions inside it left out. */
const returnsOf = (body: Tree): readonly Tree[] => {
  if (body.type === "ArrowFunctionExpression") return [];
  if (body.type === "ReturnStatement") return isTree(body["argument"]) ? [body["argument"]] : [];
  return childrenOf(body).flatMap(returnsOf);
};

const isSentence = (tree: Tree): boolean =>
  (tree.type === "StringLiteral" && nameOf(tree).includes(" ")) || tree.type === "TemplateLiteral";

/** The entries of a list of refusals; of a list with a name, the sentences of which it is made. */
const listed = (list: unknown, { declared }: Module): readonly unknown[] => {
  if (!isTree(list)) return [];
  if (list.type !== "ArrayExpression")
    return (declared.get(nameOf(list)) ?? []).flatMap((each) => [...within(each)].filter(isSentence));
  return (list["elements"] as readonly Tree[]).flatMap(({ spread, expression }) =>
    isTree(spread) ? [] : [expression],
  );
};

/** The expressions of one file that are texts of refusals. */
const expressionsIn = (module: Module): readonly unknown[] =>
  [...within(module.tree)].flatMap((each) => {
    if (each.type === "KeyValueProperty" && nameOf(each["key"]) === "fault") return [each["value"]];
    if (each.type === "ObjectExpression")
      return childrenOf(each).filter((key) => key.type === "Identifier" && nameOf(key) === "fault");
    if (each.type === "KeyValueProperty" && nameOf(each["key"]) === "faults")
      return listed(each["value"], module);
    if (each.type !== "CallExpression" && each.type !== "NewExpression") return [];
    const callee = calleeOf(each["callee"]);
    const dot = callee.lastIndexOf(".");
    const position = dot < 0 ? functions[callee] : methods[callee.slice(dot + 1)];
    if (position === undefined || others.has(callee)) return [];
    // A set of texts, made where the place is known.
    const argument = (each["arguments"] as readonly Tree[])[callee === "found.add" ? 0 : position];
    return argument === undefined ? [] : [argument["expression"]];
  });

/** Every text by which something is refused, as it stands in the source of this package. */
export const faultTexts = (): readonly FaultText[] =>
  [...modules.values()].flatMap((module) =>
    expressionsIn(module).flatMap((expression) =>
      textsOf(expression, module).map((parts) => ({ file: relative(".", module.file), parts })),
    ),
  );
