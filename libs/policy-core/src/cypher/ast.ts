/**
 * The tree of the allowed language. Plain immutable values: a rewriter builds new
 * nodes from old ones. `at` is the offset of a node in the author's text, for faults and explanations; it has
 * no meaning in the language.
 */

export interface Query {
  readonly kind: "query";
  readonly clauses: readonly Clause[];
  /** Of the body of an EXISTS or COUNT. */
  readonly unusedReturn?: UnusedReturn;
  readonly at: number;
}

/**
 * The RETURN at the end of a body of EXISTS or COUNT, where it means nothing. It is no node of the tree, so that it is
 * neither printed nor evaluated: only its names are resolved.
 */
export interface UnusedReturn {
  readonly kind: "unused-return";
  readonly items: readonly ProjectionItem[];
  readonly orderBy: readonly SortItem[];
}

export type Clause = MatchClause | WithClause | UnwindClause | UseClause | CallClause | ReturnClause;

export interface MatchClause {
  readonly kind: "match";
  readonly optional: boolean;
  readonly patterns: readonly PathPattern[];
  readonly where?: Expression;
  readonly at: number;
}

export interface WithClause {
  readonly kind: "with";
  readonly distinct: boolean;
  /** `WITH *`, items may follow. */
  readonly star: boolean;
  readonly items: readonly ProjectionItem[];
  readonly orderBy: readonly SortItem[];
  readonly skip?: Expression;
  readonly limit?: Expression;
  readonly where?: Expression;
  readonly at: number;
}

/** Only as the last clause of a `CALL { }` body; the platform appends the projection of the whole text itself. */
export interface ReturnClause {
  readonly kind: "return";
  readonly distinct: boolean;
  readonly star: boolean;
  readonly items: readonly ProjectionItem[];
  readonly orderBy: readonly SortItem[];
  readonly skip?: Expression;
  readonly limit?: Expression;
  readonly at: number;
}

/** `alias` is absent only where the expression is a plain variable, which keeps its name. */
export interface ProjectionItem {
  readonly kind: "item";
  readonly expression: Expression;
  readonly alias?: string;
  readonly at: number;
}

export interface SortItem {
  readonly kind: "sort";
  readonly expression: Expression;
  readonly descending: boolean;
  readonly at: number;
}

export interface UnwindClause {
  readonly kind: "unwind";
  readonly expression: Expression;
  readonly alias: string;
  readonly at: number;
}

/**
 * `USE graph.byName(argument)`, always the first clause of its query. An author writes a text or one parameter; in a
 * rewritten tree it may be a property of the row.
 */
export interface UseClause {
  readonly kind: "use";
  readonly argument: StringLiteral | Parameter | Property;
  readonly at: number;
}

export interface CallClause {
  readonly kind: "call";
  /** `CALL { }` imports by a leading WITH of its body, if there is one; `CALL (a, b) { }` names; `CALL (*) { }`. */
  readonly imports: "importing-with" | "all" | readonly string[];
  readonly body: Query;
  readonly at: number;
}

/** Node, relationship, node, … : begins and ends with a node. */
export interface PathPattern {
  readonly kind: "path";
  readonly variable?: string;
  readonly elements: readonly (NodePattern | RelationshipPattern)[];
  readonly at: number;
}

export interface NodePattern {
  readonly kind: "node";
  readonly variable?: string;
  readonly label?: LabelExpression;
  readonly properties?: MapLiteral;
  readonly where?: Expression;
  readonly at: number;
}

type Direction = "out" | "in" | "both";

export interface RelationshipPattern {
  readonly kind: "relationship";
  readonly direction: Direction;
  readonly variable?: string;
  readonly label?: LabelExpression;
  /** Hops of a variable length; `*` alone is `{}`. */
  readonly length?: PathLength;
  readonly properties?: MapLiteral;
  readonly where?: Expression;
  readonly at: number;
}

export interface PathLength {
  readonly min?: number;
  readonly max?: number;
}

/** Of nodes and of relationships (types) alike. */
export type LabelExpression = LabelName | LabelAnd | LabelOr | LabelNot | LabelAny;

interface LabelName {
  readonly kind: "label";
  readonly name: string;
  readonly at: number;
}

/** Two or more parts. */
interface LabelAnd {
  readonly kind: "label-and";
  readonly parts: readonly LabelExpression[];
  readonly at: number;
}

/** Two or more parts. */
interface LabelOr {
  readonly kind: "label-or";
  readonly parts: readonly LabelExpression[];
  readonly at: number;
}

interface LabelNot {
  readonly kind: "label-not";
  readonly part: LabelExpression;
  readonly at: number;
}

/** `%`: any label at all. */
interface LabelAny {
  readonly kind: "label-any";
  readonly at: number;
}

export type Expression =
  | StringLiteral
  | IntegerLiteral
  | FloatLiteral
  | BooleanLiteral
  | NullLiteral
  | ListLiteral
  | MapLiteral
  | Parameter
  | Variable
  | Property
  | Index
  | Slice
  | Unary
  | Binary
  | Comparison
  | IsNull
  | LabelTest
  | FunctionCall
  | Case
  | ListComprehension
  | PatternComprehension
  | Quantifier
  | Reduce
  | Exists
  | Count
  | PatternPredicate;

export interface StringLiteral {
  readonly kind: "string";
  readonly value: string;
  readonly at: number;
}

/** 0 to 2^63 - 1; a sign is a `Unary`. */
interface IntegerLiteral {
  readonly kind: "integer";
  readonly value: bigint;
  readonly at: number;
}

/** Finite and not negative. */
interface FloatLiteral {
  readonly kind: "float";
  readonly value: number;
  readonly at: number;
}

export interface BooleanLiteral {
  readonly kind: "boolean";
  readonly value: boolean;
  readonly at: number;
}

export interface NullLiteral {
  readonly kind: "null";
  readonly at: number;
}

export interface ListLiteral {
  readonly kind: "list";
  readonly items: readonly Expression[];
  readonly at: number;
}

export interface MapLiteral {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
  readonly at: number;
}

export interface MapEntry {
  readonly kind: "entry";
  readonly key: string;
  readonly value: Expression;
  readonly at: number;
}

/** `name` without the `$`. */
export interface Parameter {
  readonly kind: "parameter";
  readonly name: string;
  readonly at: number;
}

export interface Variable {
  readonly kind: "variable";
  readonly name: string;
  readonly at: number;
}

/** `target.key`. */
export interface Property {
  readonly kind: "property";
  readonly target: Expression;
  readonly key: string;
  readonly at: number;
}

/** `target[index]`. */
interface Index {
  readonly kind: "index";
  readonly target: Expression;
  readonly index: Expression;
  readonly at: number;
}

/** `target[from..to]`. */
export interface Slice {
  readonly kind: "slice";
  readonly target: Expression;
  readonly from?: Expression;
  readonly to?: Expression;
  readonly at: number;
}

export interface Unary {
  readonly kind: "unary";
  readonly operator: "NOT" | "+" | "-";
  readonly operand: Expression;
  readonly at: number;
}

/**
 * How each is written stands in `operators.ts`. The printer writes the operator as it is: one that the database does
 * not know, or knows with another meaning, must be replaced in `rewrite/rewrite.ts`, as `=~` is.
 */
export type BinaryOperator =
  | "OR"
  | "XOR"
  | "AND"
  | "=~"
  | "STARTS WITH"
  | "ENDS WITH"
  | "CONTAINS"
  | "IN"
  | "+"
  | "-"
  | "||"
  | "*"
  | "/"
  | "%"
  | "^";

export interface Binary {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly at: number;
}

/** Operators that chain, as in `a < b < c`; an operator that does not chain is a `BinaryOperator`. */
export type ComparisonOperator = "=" | "<>" | "<" | "<=" | ">" | ">=";

/** `first op1 a op2 b …` means `first op1 a AND a op2 b …`. `rest` is never empty. */
export interface Comparison {
  readonly kind: "comparison";
  readonly first: Expression;
  readonly rest: readonly ComparisonStep[];
  readonly at: number;
}

export interface ComparisonStep {
  readonly kind: "step";
  readonly operator: ComparisonOperator;
  readonly operand: Expression;
  readonly at: number;
}

export interface IsNull {
  readonly kind: "is-null";
  readonly operand: Expression;
  readonly negated: boolean;
  readonly at: number;
}

/** `target:Label`. */
export interface LabelTest {
  readonly kind: "label-test";
  readonly target: Expression;
  readonly label: LabelExpression;
  readonly at: number;
}

export interface FunctionCall {
  readonly kind: "function";
  /** Lower case, parts joined by dots: `duration.between`. */
  readonly name: string;
  readonly distinct: boolean;
  /** `count(*)`; then there are no arguments. */
  readonly star: boolean;
  readonly args: readonly Expression[];
  readonly at: number;
}

export interface Case {
  readonly kind: "case";
  readonly subject?: Expression;
  readonly alternatives: readonly CaseAlternative[];
  readonly otherwise?: Expression;
  readonly at: number;
}

/** `when` holds one condition, or with a subject of the CASE one or more values (`WHEN 1, 2 THEN …`). */
export interface CaseAlternative {
  readonly kind: "alternative";
  readonly when: readonly Expression[];
  readonly then: Expression;
  readonly at: number;
}

/** `[variable IN list WHERE where | result]`. */
export interface ListComprehension {
  readonly kind: "list-comprehension";
  readonly variable: string;
  readonly list: Expression;
  readonly where?: Expression;
  readonly result?: Expression;
  readonly at: number;
}

/** `[p = (a)-->(b) WHERE where | result]`; the name of the path is `pattern.variable`. */
export interface PatternComprehension {
  readonly kind: "pattern-comprehension";
  readonly pattern: PathPattern;
  readonly where?: Expression;
  readonly result: Expression;
  readonly at: number;
}

export interface Quantifier {
  readonly kind: "quantifier";
  readonly quantifier: "all" | "any" | "none" | "single";
  readonly variable: string;
  readonly list: Expression;
  readonly where: Expression;
  readonly at: number;
}

/** `reduce(accumulator = initial, variable IN list | result)`. */
export interface Reduce {
  readonly kind: "reduce";
  readonly accumulator: string;
  readonly initial: Expression;
  readonly variable: string;
  readonly list: Expression;
  readonly result: Expression;
  readonly at: number;
}

export interface Exists {
  readonly kind: "exists";
  readonly body: SubqueryBody;
  readonly at: number;
}

export interface Count {
  readonly kind: "count";
  readonly body: SubqueryBody;
  readonly at: number;
}

/** Its clauses hold no RETURN, which means nothing in these bodies: see `UnusedReturn`. */
export type SubqueryBody = PatternBody | Query;

/** `EXISTS { (a)-->(b) WHERE … }`, the short form without MATCH. */
export interface PatternBody {
  readonly kind: "pattern-body";
  readonly patterns: readonly PathPattern[];
  readonly where?: Expression;
  readonly at: number;
}

/** A pattern in the place of a truth value; introduces no variables. At least one relationship. */
interface PatternPredicate {
  readonly kind: "pattern-predicate";
  readonly pattern: PathPattern;
  readonly at: number;
}

/** Every node of the tree, discriminated by `kind`. */
export type Node =
  | Query
  | Clause
  | ProjectionItem
  | SortItem
  | PathPattern
  | NodePattern
  | RelationshipPattern
  | LabelExpression
  | Expression
  | MapEntry
  | ComparisonStep
  | CaseAlternative
  | PatternBody;

export type NodeKind = Node["kind"];

export type NodeOf<K extends NodeKind> = Extract<Node, { readonly kind: K }>;
