import type { ComparisonOperator } from "../../src/cypher/ast.ts";
import type { LeafOperator } from "../../src/filters/leaf-operators.ts";

/**
 * The oracle's own picture of a graph and of a policy condition: plain data, so that one value can be drawn, made
 * smaller, printed as an author would write it (`author.ts`) and evaluated by brute force (`clauses.ts`). It is written
 * from the rules of the policy language alone and shares nothing with the parser, the rewriting or the printer but the
 * names of the operators: a new operator does not compile until the oracle knows it.
 */

/** What an attribute, a parameter or a claim can hold. Integers are bigint, so that they differ from floats. */
export type Scalar = boolean | bigint | number | string;
export type Stored = Scalar | readonly Scalar[];

export interface PropertySpec {
  /** Absent for an external property. */
  readonly value?: Stored;
  readonly external?: true;
  readonly metadata?: Readonly<Record<string, Scalar>>;
}

export interface NodeSpec {
  readonly type: string;
  readonly id: string;
  readonly labels: readonly string[];
  readonly properties: Readonly<Record<string, PropertySpec>>;
  /** Scores by dimension; absent before the first scoring pass. */
  readonly trust?: Readonly<Record<string, number>>;
}

/** Ends are `Type/id`. */
export interface EdgeSpec {
  readonly source: string;
  readonly type: string;
  readonly target: string;
  readonly properties: Readonly<Record<string, Scalar>>;
}

export interface GraphSpec {
  readonly nodes: readonly NodeSpec[];
  readonly edges: readonly EdgeSpec[];
}

export type LabelSpec =
  | { readonly kind: "is"; readonly name: string }
  | { readonly kind: "any-label" }
  | { readonly kind: "no"; readonly part: LabelSpec }
  | { readonly kind: "both" | "either"; readonly parts: readonly LabelSpec[] };

export type PathStep =
  | { readonly to: "system"; readonly name: "external_id" | "type" | "id" | "create_time" | "update_time" }
  | { readonly to: "property"; readonly name: string; readonly long?: boolean }
  | { readonly to: "metadata"; readonly name: string; readonly key: string }
  | { readonly to: "trust"; readonly name: string };

/** `$name.a.b`: the first segment decides whose value it is. */
export interface ReferenceExpr {
  readonly kind: "reference";
  readonly name: string;
  readonly path: readonly string[];
}

export type TextOperator = "STARTS WITH" | "ENDS WITH" | "CONTAINS" | "=~";

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";

export type Expr =
  | { readonly kind: "literal"; readonly value: Scalar | null }
  | { readonly kind: "variable"; readonly name: string }
  | ReferenceExpr
  | { readonly kind: "node-path"; readonly of: Expr; readonly step: PathStep }
  | { readonly kind: "edge-path"; readonly of: Expr; readonly name: string }
  | { readonly kind: "not" | "minus"; readonly of: Expr }
  | { readonly kind: "and" | "or" | "xor"; readonly left: Expr; readonly right: Expr }
  | {
      readonly kind: "compare";
      readonly first: Expr;
      readonly rest: readonly { readonly operator: ComparisonOperator; readonly expr: Expr }[];
    }
  | {
      readonly kind: "text-test";
      readonly operator: TextOperator;
      readonly left: Expr;
      readonly right: Expr;
    }
  | { readonly kind: "in"; readonly left: Expr; readonly right: Expr }
  | { readonly kind: "is-null"; readonly of: Expr; readonly negated: boolean }
  | { readonly kind: "has-label"; readonly of: Expr; readonly label: LabelSpec }
  | {
      readonly kind: "arithmetic";
      readonly operator: ArithmeticOperator;
      readonly left: Expr;
      readonly right: Expr;
    }
  | { readonly kind: "list"; readonly items: readonly Expr[] }
  | { readonly kind: "index"; readonly of: Expr; readonly index: Expr }
  | { readonly kind: "slice"; readonly of: Expr; readonly from?: Expr; readonly to?: Expr }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expr[] }
  | {
      readonly kind: "aggregate";
      readonly name: "count" | "collect" | "sum" | "min" | "max" | "avg";
      readonly distinct: boolean;
      /** Absent: `count(*)`. */
      readonly arg?: Expr;
    }
  | {
      readonly kind: "case";
      readonly subject?: Expr;
      readonly branches: readonly { readonly when: Expr; readonly then: Expr }[];
      readonly otherwise?: Expr;
    }
  | {
      readonly kind: "each";
      readonly variable: string;
      readonly list: Expr;
      readonly where?: Expr;
      readonly result?: Expr;
    }
  | {
      readonly kind: "quantifier";
      readonly quantifier: "all" | "any" | "none" | "single";
      readonly variable: string;
      readonly list: Expr;
      readonly where: Expr;
    }
  | {
      readonly kind: "reduce";
      readonly accumulator: string;
      readonly initial: Expr;
      readonly variable: string;
      readonly list: Expr;
      readonly result: Expr;
    }
  | { readonly kind: "exists" | "count-rows"; readonly body: readonly ClauseSpec[]; readonly short: boolean }
  | { readonly kind: "path-exists"; readonly path: PathSpec }
  | {
      readonly kind: "each-path";
      readonly path: PathSpec;
      readonly where?: Expr;
      readonly result: Expr;
    };

export interface NodeElement {
  readonly variable?: string;
  readonly label?: LabelSpec;
  /** Keys are `external_id`, `type`, `id` or property names. */
  readonly map?: readonly { readonly key: string; readonly value: Expr }[];
  readonly where?: Expr;
}

export interface HopElement {
  readonly direction: "out" | "in" | "both";
  readonly variable?: string;
  readonly types?: LabelSpec;
  readonly length?: { readonly min?: number; readonly max?: number };
  readonly map?: readonly { readonly key: string; readonly value: Expr }[];
  readonly where?: Expr;
}

export interface PathSpec {
  readonly variable?: string;
  readonly start: NodeElement;
  readonly hops: readonly { readonly hop: HopElement; readonly node: NodeElement }[];
}

export interface ItemSpec {
  readonly expr: Expr;
  readonly as: string;
}

export type ClauseSpec =
  | {
      readonly kind: "match";
      readonly optional: boolean;
      readonly paths: readonly PathSpec[];
      readonly where?: Expr;
    }
  | {
      readonly kind: "with";
      readonly distinct: boolean;
      readonly star: boolean;
      readonly items: readonly ItemSpec[];
      readonly order: readonly { readonly expr: Expr; readonly descending: boolean }[];
      readonly skip?: Expr;
      readonly limit?: Expr;
      readonly where?: Expr;
    }
  | { readonly kind: "unwind"; readonly list: Expr; readonly as: string }
  /** `CALL (imports) { body RETURN items }`, or with a leading WITH where `listed` is false. */
  | {
      readonly kind: "subquery";
      readonly listed: boolean;
      readonly imports: readonly { readonly kind: "variable"; readonly name: string }[];
      readonly body: readonly ClauseSpec[];
      readonly items: readonly ItemSpec[];
    };

/** A filter, as data. Values and attributes are texts as the author writes them. */
export type FilterSpec =
  | {
      readonly operator: "AND" | "OR" | "NOT";
      readonly operands: readonly FilterSpec[];
    }
  | { readonly operator: LeafOperator; readonly attribute: OperandSpec; readonly value?: OperandSpec };

export type OperandSpec =
  | { readonly is: "literal"; readonly value: Stored }
  | { readonly is: "reference"; readonly name: string; readonly path: readonly string[] }
  | { readonly is: "node"; readonly alias: string; readonly step: PathStep }
  | { readonly is: "edge"; readonly alias: string; readonly name: string }
  | { readonly is: "value"; readonly name: string }
  /** `{"type": "datetime", "value": …}`: both sides are compared as instants. */
  | { readonly is: "instant"; readonly of: OperandSpec };

/** How the author likes to write: keywords, blanks, parentheses. */
export interface Style {
  readonly small: boolean;
  readonly tight: boolean;
  readonly parentheses: boolean;
}

export type JsonValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export interface InputsSpec {
  readonly params: { readonly [name: string]: JsonValue };
  /** Absent: no bearer was sent. */
  readonly token?: { readonly [claim: string]: JsonValue };
  readonly request?: { readonly [key: string]: JsonValue };
}
