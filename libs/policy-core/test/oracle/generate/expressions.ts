import type { ComparisonOperator } from "../../../src/cypher/ast.ts";
import { comparisonOperators } from "../../../src/cypher/operators.ts";
import type { Expr } from "../model.ts";
import { mixedProperty } from "./graphs.ts";
import { labelSpec } from "./labels.ts";
import { call, literal, type Maker, reference, variable } from "./parts.ts";
import { existsBody, freshPath } from "./patterns.ts";
import type { Kind, Scope } from "./scope.ts";
import { Values } from "./values.ts";

/** Values, and truths about them. */
export class Expressions extends Values {
  protected override at(scope: Scope): Expressions {
    return new Expressions(this.studio, scope);
  }

  override truth(depth: number): Expr {
    const draw = this.draw;
    const makers: Maker<Expr>[] = [
      [1, () => literal(draw.pick([true, true, false, null]))],
      [1, () => reference("flag")],
      ...this.onNode(2, () => ({ to: "property", name: "b" })),
      ...this.when<Expr>(2, this.named("truth"), variable),
      [8, () => this.#comparison(depth)],
      [3, () => this.#textTest(depth)],
      [3, () => this.#membership(depth)],
      [3, () => this.#nullTest(depth)],
      ...this.#nodeTests(),
    ];
    if (depth > 0)
      makers.push(
        [3, () => ({ kind: "and", left: this.truth(depth - 1), right: this.truth(depth - 1) })],
        [4, () => ({ kind: "or", left: this.truth(depth - 1), right: this.truth(depth - 1) })],
        [1, () => ({ kind: "xor", left: this.truth(depth - 1), right: this.truth(depth - 1) })],
        [3, () => ({ kind: "not", of: this.truth(depth - 1) })],
        [2, () => this.#quantifier(depth)],
        [1, () => this.choice(() => this.truthValue(depth - 1), depth)],
        ...this.#patternTests(),
      );
    return draw.among(makers);
  }

  #operator(): ComparisonOperator {
    return this.draw.pick(["=", ...comparisonOperators]);
  }

  #comparison(depth: number): Expr {
    const draw = this.draw;
    const pair = (make: () => Expr): Expr => ({
      kind: "compare",
      first: make(),
      rest: draw.list(1, draw.chance(0.15) ? 2 : 1, () => ({ operator: this.#operator(), expr: make() })),
    });
    const mixed = this.onNode(1, () => ({ to: "property", name: mixedProperty }));
    const any = (): Expr =>
      draw.among<Expr>([
        ...mixed,
        [1, () => reference("token", "mixed")],
        [1, () => reference("mixed")],
        [1, () => this.int(0)],
        [1, () => this.text(0)],
      ]);
    return draw.among([
      [5, () => pair(() => this.int(depth - 1))],
      [4, () => pair(() => this.text(depth - 1))],
      [1, () => pair(() => (draw.chance(0.5) ? this.float() : this.int(0)))],
      [1, () => ({ ...pair(any), rest: [{ operator: draw.pick(["=", "<>"]), expr: any() }] }) as Expr],
      [1, () => ({ kind: "compare", first: this.ints(0), rest: [{ operator: "=", expr: this.ints(0) }] })],
    ]);
  }

  #textTest(depth: number): Expr {
    const operator = this.draw.pick(["STARTS WITH", "ENDS WITH", "CONTAINS"] as const);
    return { kind: "text-test", operator, left: this.text(depth - 1), right: this.text(0) };
  }

  #membership(depth: number): Expr {
    return this.draw.among<Expr>([
      [3, () => ({ kind: "in", left: this.text(0), right: this.texts(depth - 1) })],
      [2, () => ({ kind: "in", left: this.int(0), right: this.ints(depth - 1) })],
      ...this.when<Expr>(3, this.named("node-bag"), (name) => ({
        kind: "in",
        left: this.node() ?? literal(null),
        right: variable(name),
      })),
      ...this.when<Expr>(2, this.named("text-bag"), (name) => ({
        kind: "in",
        left: this.text(0),
        right: variable(name),
      })),
    ]);
  }

  #nullTest(depth: number): Expr {
    const negated = this.draw.chance(0.6);
    const of = this.draw.among<Expr>([
      [2, () => this.int(depth - 1)],
      [2, () => this.text(depth - 1)],
      ...this.when<Expr>(2, this.named("node"), variable),
    ]);
    return { kind: "is-null", of, negated };
  }

  #nodeTests(): Maker<Expr>[] {
    const [left, right] = [this.node(), this.node()];
    if (left === undefined || right === undefined) return [];
    const operator = this.draw.pick(["=", "<>"] as const);
    return [
      [1, () => ({ kind: "compare", first: left, rest: [{ operator, expr: right }] })],
      [1, () => ({ kind: "has-label", of: left, label: labelSpec(this.studio) })],
    ];
  }

  #quantifier(depth: number): Expr {
    const draw = this.draw;
    const name = draw.fresh("e");
    const quantifier = draw.pick(["all", "any", "none", "single"] as const);
    const [list, kind] = draw.among<readonly [Expr, Kind]>([
      [2, () => [this.ints(depth - 1), "int"]],
      [2, () => [this.texts(depth - 1), "text"]],
      ...this.when<readonly [Expr, Kind]>(5, this.named("edges"), (each) => [variable(each), "edge"]),
      ...this.when<readonly [Expr, Kind]>(3, this.named("path"), (each) => [
        call("nodes", variable(each)),
        "node",
      ]),
      ...this.when<readonly [Expr, Kind]>(3, this.named("node-bag"), (each) => [variable(each), "node"]),
    ]);
    const inside = this.inside(name, kind);
    return { kind: "quantifier", quantifier, variable: name, list, where: inside.truth(depth - 1) };
  }

  #patternTests(): Maker<Expr>[] {
    const body = existsBody(this.studio, this.scope);
    const path = freshPath(this.studio, this.scope, true);
    return [
      ...(body === undefined
        ? []
        : [[3, () => ({ kind: "exists", body, short: this.draw.chance(0.6) })] as Maker<Expr>]),
      ...(path === undefined ? [] : [[3, () => ({ kind: "path-exists", path: path.spec })] as Maker<Expr>]),
    ];
  }
}
