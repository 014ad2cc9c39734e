import type { CallClause, Expression, LabelTest, NodePattern, ReturnClause } from "../cypher/ast.ts";
import type { NodePath, RelationshipPath } from "../paths/path.ts";
import { RequiredInputs, type Language, type Reference } from "../values/reference.ts";
import type { Binding } from "./kind.ts";

/** A path in an expression: its root, and what it names there. */
type ResolvedPath =
  | { readonly kind: "node-path"; readonly root: Expression; readonly path: NodePath }
  | { readonly kind: "relationship-path"; readonly root: Expression; readonly path: RelationshipPath };

/** What a CALL takes from around it. */
export interface CallReport {
  readonly imports: "all" | readonly string[];
  /** How many clauses of the body only say what is imported; they follow its USE. */
  readonly importing: 0 | 1;
}

/** What the analysis of a text found; keyed by tree nodes, so that rewriting needs no second look at scopes. */
export class AnalysisReport {
  readonly language: Language;
  readonly faults: { readonly at: number; readonly message: string }[] = [];
  readonly needs = new RequiredInputs();
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
      readonly isolatedScope: boolean;
      /** No WITH before it has dropped names, so that a name bound before the text is still bound here. */
      readonly beforeFirstWith: boolean;
    }
  >();
  /** Every node pattern that names its node, binding or not. */
  readonly named: NodePattern[] = [];
  /** Node patterns whose name is bound already. Every other pattern binds, and is guarded by the project's label. */
  readonly rebound = new Set<NodePattern>();
  readonly calls = new Map<CallClause, CallReport>();
  /** The names that a `RETURN *` returns. */
  readonly stars = new Map<ReturnClause, readonly string[]>();
  /** A CALL returns `subject` or `resource`, so that nothing may bind them before the text. */
  callsBindEnds = false;
  /** A WITH aggregates, in the text itself or in a subquery. */
  aggregates = false;
  /** A WITH of the text itself cuts rows. */
  cuts = false;
  /** A parameter or claim is used where the database accepts none from a row: in SKIP, in LIMIT, next to an aggregate. */
  notBatchable = false;

  constructor(language: Language) {
    this.language = language;
  }

  /** True for names that mean what the request names, wherever they stand: nothing else may have them. */
  isEndName(name: string): boolean {
    return name === "subject" || (name === "resource" && this.language === "kbac");
  }

  /** The node patterns of the text itself that bind an alias; none of a subquery. */
  bindersOf(alias: string): readonly NodePattern[] {
    return [...this.binders].flatMap(([pattern, binder]) =>
      binder.alias === alias && binder.depth === 0 ? [pattern] : [],
    );
  }

  fault(at: number, message: string): void {
    this.faults.push({ at, message });
  }
}

/** The outcome of an analysis without faults. */
export interface Analysis {
  readonly report: AnalysisReport;
  /** Names in scope after the last clause. */
  readonly bindings: ReadonlyMap<string, Binding>;
}

/** The names that an expression may use: those of its own part of the text and those around it. */
export class Scope {
  readonly #own = new Map<string, Binding>();
  readonly #outer: Scope | undefined;
  /** Names that mean something around this part and may not be bound again in it, though they may be dropped. */
  readonly outerNames: ReadonlySet<string>;
  /** No WITH so far has dropped names: whatever a statement binds before the text is still bound here. */
  readonly beforeFirstWith: boolean;

  constructor(
    outer?: Scope,
    own: Iterable<readonly [string, Binding]> = [],
    outerNames: ReadonlySet<string> = outer?.outerNames ?? new Set(),
    beforeFirstWith = outer?.beforeFirstWith ?? true,
  ) {
    this.#outer = outer;
    this.outerNames = outerNames;
    this.beforeFirstWith = beforeFirstWith;
    for (const [name, binding] of own) this.#own.set(name, binding);
  }

  get(name: string): Binding | undefined {
    return this.#own.get(name) ?? this.#outer?.get(name);
  }

  bind(name: string, binding: Binding): void {
    this.#own.set(name, binding);
  }

  /** The names of this part alone, in order of binding. */
  own(): ReadonlyMap<string, Binding> {
    return this.#own;
  }

  /** True when the name may not be bound here, because it is bound around this part. */
  isBoundOutside(name: string): boolean {
    return this.outerNames.has(name) || this.#outer?.get(name) !== undefined;
  }

  /** The part after a WITH, which knows the names in `own` and those around it. @param keepsAll `WITH *` */
  after(own: Iterable<readonly [string, Binding]>, keepsAll: boolean): Scope {
    return new Scope(this.#outer, own, this.outerNames, this.beforeFirstWith && keepsAll);
  }

  /** A part inside this one that may add names of its own. */
  inner(): Scope {
    return new Scope(this);
  }
}
