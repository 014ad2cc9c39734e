import type { Kind } from "./kind.ts";

/** What a name is bound to. */
export interface Binding {
  readonly kind: Kind;
  /** Bound by an OPTIONAL MATCH alone: null in rows without a match. */
  readonly optional: boolean;
  /** Bound by a pattern of a MATCH, not by AS or UNWIND. */
  readonly pattern: boolean;
}

/** The names that an expression may use: those of its own part of the text and those around it. */
export class Scope {
  readonly #own = new Map<string, Binding>();
  readonly #outer: Scope | undefined;
  /** Names that mean something around this part and may not be bound anew in it, though they may be dropped. */
  readonly taken: ReadonlySet<string>;
  /** No WITH so far has dropped names: whatever a statement binds before the text is still bound here. */
  readonly early: boolean;

  constructor(
    outer?: Scope,
    own: Iterable<readonly [string, Binding]> = [],
    taken: ReadonlySet<string> = outer?.taken ?? new Set(),
    early = outer?.early ?? true,
  ) {
    this.#outer = outer;
    this.taken = taken;
    this.early = early;
    for (const [name, binding] of own) this.#own.set(name, binding);
  }

  get outer(): Scope | undefined {
    return this.#outer;
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
  isTaken(name: string): boolean {
    return this.taken.has(name) || this.#outer?.get(name) !== undefined;
  }

  /** The part after a WITH, which knows the names in `own` and those around it. @param keepsAll `WITH *` */
  after(own: Iterable<readonly [string, Binding]>, keepsAll: boolean): Scope {
    return new Scope(this.#outer, own, this.taken, this.early && keepsAll);
  }

  /** A part inside this one that may add names of its own. */
  inner(): Scope {
    return new Scope(this);
  }
}
