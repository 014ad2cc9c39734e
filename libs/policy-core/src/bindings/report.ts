import type {
  CallClause,
  Expression,
  LabelTest,
  NodePattern,
  ReturnClause,
  UseClause,
} from "../cypher/ast.ts";
import type { NodePath, RelationshipPath } from "../paths/path.ts";
import { Needs } from "../values/needs.ts";
import type { Language, Reference } from "../values/reference.ts";
import type { Binding } from "./scope.ts";

/** A path in an expression: its root, and what it names there. */
export type ResolvedPath =
  | { readonly kind: "node-path"; readonly root: Expression; readonly path: NodePath }
  | { readonly kind: "relationship-path"; readonly root: Expression; readonly path: RelationshipPath };

/** What a CALL takes from around it. */
export interface CallReport {
  readonly imports: "all" | readonly string[];
  /** How many clauses of the body only say what is imported; they follow its USE. */
  readonly importing: 0 | 1;
}

/** What the analysis of a text found; keyed by tree nodes, so that rewriting needs no second look at scopes. */
export class Report {
  readonly language: Language;
  readonly faults: { readonly at: number; readonly message: string }[] = [];
  readonly needs = new Needs();
  readonly paths = new Map<Expression, ResolvedPath>();
  readonly references = new Map<Expression, Reference>();
  readonly labelTests = new Map<LabelTest, "node" | "relationship">();
  /** Node patterns that bind their variable, with the scope depth: 0 is the text itself. */
  readonly binders = new Map<
    NodePattern,
    {
      readonly alias: string;
      readonly depth: number;
      readonly optional: boolean;
      /** Inside a CALL that does not see every name around it: a new node, though the name may be bound outside. */
      readonly apart: boolean;
      /** No WITH before it has dropped names, so that a name bound before the text is still bound here. */
      readonly early: boolean;
    }
  >();
  /** Every node pattern that names its node, binding or not. */
  readonly named: NodePattern[] = [];
  readonly calls = new Map<CallClause, CallReport>();
  /** The names that a `RETURN *` hands out. */
  readonly stars = new Map<ReturnClause, readonly string[]>();
  readonly uses: UseClause[] = [];
  /** A CALL hands out `subject` or `resource`, so that nothing may bind them before the text. */
  callsBindEnds = false;
  /** A WITH aggregates, in the text itself or in a subquery. */
  aggregates = false;
  /** A WITH of the text itself cuts rows. */
  cuts = false;
  /** A parameter or claim stands where the database takes none from a row: SKIP, LIMIT, beside an aggregate. */
  plainOnly = false;

  constructor(language: Language) {
    this.language = language;
  }

  fault(at: number, message: string): void {
    this.faults.push({ at, message });
  }
}

/** The outcome of an analysis without faults. */
export interface Analysis {
  readonly report: Report;
  /** Names in scope after the last clause. */
  readonly bindings: ReadonlyMap<string, Binding>;
}
