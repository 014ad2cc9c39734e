import type { Expr } from "../model.ts";
import { trustDimensions } from "../world.ts";
import { texts, textProperties, wholeProperties } from "./graphs.ts";
import { call, literal, type Maker, on, Parts, reference, variable } from "./parts.ts";
import { existsBody, freshPath } from "./patterns.ts";
import { type Kind, type Scope, withName } from "./scope.ts";

/** Numbers, texts and lists, each of one kind, so that a calculation never meets a value that it cannot take. */
export abstract class Values extends Parts {
  abstract truth(depth: number): Expr;

  /** A truth where a value is wanted: a pattern by itself is none there. */
  truthValue(depth: number): Expr {
    const truth = this.truth(depth);
    return truth.kind === "path-exists" ? { kind: "not", of: truth } : truth;
  }

  protected abstract at(scope: Scope): Values;

  protected inside(name: string, kind: Kind): Values {
    return this.at({ ...withName(this.scope, name, kind), withoutAggregates: true });
  }

  int(depth: number): Expr {
    const draw = this.draw;
    const makers: Maker<Expr>[] = [
      [3, () => literal(BigInt(draw.int(-1, 4)))],
      [3, () => reference(draw.pick(["i", "j"]))],
      [1, () => reference("o", "a", "b")],
      [1, () => reference("token", "level")],
      [
        this.studio.kbac ? 1 : 0,
        () =>
          reference(
            "request",
            ...draw.pick([
              ["context", "n"],
              ["subject", "properties", "n"],
            ]),
          ),
      ],
      ...this.onNode(8, () => this.property(wholeProperties)),
      ...this.onNode(1, () => ({
        to: "metadata",
        name: draw.pick(["n", "s", "t"]),
        key: "assurance_level",
      })),
      ...this.edge(3, ["w", "since"]),
      ...this.when<Expr>(4, this.named("int"), variable),
      ...this.when<Expr>(1, this.named("path"), (name) => call("length", variable(name))),
    ];
    if (depth > 0)
      makers.push(
        [3, () => this.#calculation(depth)],
        [2, () => call("size", this.list(depth - 1))],
        [1, () => call("size", this.text(depth - 1))],
        [1, () => call("coalesce", this.int(depth - 1), literal(BigInt(draw.int(0, 3))))],
        [1, () => call("nullIf", this.int(depth - 1), this.int(0))],
        [1, () => call(draw.pick(["abs", "sign"]), this.int(depth - 1))],
        [1, () => call("toInteger", draw.pick([literal("2"), literal("x"), literal(2.5)]))],
        [1, () => ({ kind: "minus", of: this.int(depth - 1) })],
        [1, () => this.choice(() => this.int(depth - 1), depth)],
        [1, () => this.#sum(depth)],
        [1, () => call(draw.pick(["head", "last"]), this.ints(depth - 1))],
        [1, () => ({ kind: "index", of: this.ints(depth - 1), index: literal(BigInt(draw.int(-2, 2))) })],
        ...this.#rowCount(),
      );
    return draw.among(makers);
  }

  #calculation(depth: number): Expr {
    const operator = this.draw.pick(["+", "-", "*", "/", "%"] as const);
    const divides = operator === "/" || operator === "%";
    const right = divides ? literal(BigInt(this.draw.int(1, 3))) : this.int(depth - 1);
    return { kind: "arithmetic", operator, left: this.int(depth - 1), right };
  }

  #sum(depth: number): Expr {
    const [accumulator, item] = [this.draw.fresh("sum"), this.draw.fresh("e")];
    const total: Expr = {
      kind: "arithmetic",
      operator: this.draw.pick(["+", "-"]),
      left: variable(accumulator),
      right: call("coalesce", variable(item), literal(0n)),
    };
    const initial = literal(0n);
    return {
      kind: "reduce",
      accumulator,
      initial,
      variable: item,
      list: this.ints(depth - 1),
      result: total,
    };
  }

  #rowCount(): Maker<Expr>[] {
    const body = existsBody(this.studio, this.scope);
    return body === undefined
      ? []
      : [[1, () => ({ kind: "count-rows", body, short: this.draw.chance(0.6) })]];
  }

  protected choice(make: () => Expr, depth: number): Expr {
    const draw = this.draw;
    const otherwise = draw.maybe(0.7, make);
    const rest = otherwise === undefined ? {} : { otherwise };
    if (draw.chance(0.4)) {
      const branches = draw.list(1, 2, () => ({ when: this.int(0), then: make() }));
      return { kind: "case", subject: this.int(0), branches, ...rest };
    }
    const branches = draw.list(1, 2, () => ({ when: this.truth(depth - 1), then: make() }));
    return { kind: "case", branches, ...rest };
  }

  float(): Expr {
    const makers: Maker<Expr>[] = [
      [1, () => literal(this.draw.int(-2, 4) + 0.5)],
      ...this.onNode(2, () => ({ to: "trust", name: this.draw.pick(trustDimensions) })),
      ...this.onNode(2, () => ({ to: "property", name: "f" })),
      ...this.when<Expr>(2, this.named("float"), variable),
      [1, () => call(this.draw.pick(["toFloat", "floor", "ceil"]), this.int(0))],
    ];
    return this.draw.among(makers);
  }

  text(depth: number): Expr {
    const draw = this.draw;
    const makers: Maker<Expr>[] = [
      [3, () => literal(draw.pick(texts))],
      [2, () => reference(draw.pick(["s", "id"]))],
      [1, () => reference("o", "s")],
      [2, () => reference("token", ...draw.pick([["sub"], ["scope"], ["act", "sub"]]))],
      [
        this.studio.kbac ? 1 : 0,
        () =>
          reference(
            "request",
            ...draw.pick([
              ["context", "s"],
              ["resource", "properties", "s"],
            ]),
          ),
      ],
      ...this.onNode(6, () => this.property(textProperties)),
      ...this.onNode(3, () => ({
        to: "system",
        name: draw.pick(["external_id", "type", "create_time"]),
      })),
      ...this.onNode(1, () => ({ to: "metadata", name: draw.pick(["n", "s"]), key: "source" })),
      ...this.edge(2, ["note", "type", "create_time"]),
      ...this.when<Expr>(1, this.named("edge"), (name) => call("type", variable(name))),
      ...this.when<Expr>(4, this.named("text"), variable),
    ];
    if (this.studio.kbac)
      makers.push([
        1,
        () =>
          reference(
            draw.pick(["subject_external_id", "resource_external_id", "subject_type", "resource_type"]),
          ),
      ]);
    if (depth > 0)
      makers.push(
        [
          1,
          () =>
            call(
              draw.pick(["toLower", "toUpper", "trim", "lTrim", "rTrim", "reverse"]),
              this.text(depth - 1),
            ),
        ],
        [1, () => call("substring", this.text(depth - 1), literal(BigInt(draw.int(0, 2))), literal(1n))],
        [1, () => call(draw.pick(["left", "right"]), this.text(depth - 1), literal(BigInt(draw.int(0, 2))))],
        [1, () => call("replace", this.text(depth - 1), literal(draw.pick(["a", "b"])), literal("$1"))],
        [1, () => call("toString", this.int(depth - 1))],
        [1, () => call("coalesce", this.text(depth - 1), this.text(0))],
        [1, () => ({ kind: "arithmetic", operator: "+", left: this.text(depth - 1), right: this.text(0) })],
        [1, () => this.choice(() => this.text(depth - 1), depth)],
        [1, () => call("head", this.texts(depth - 1))],
      );
    return draw.among(makers);
  }

  ints(depth: number): Expr {
    const draw = this.draw;
    const makers: Maker<Expr>[] = [
      [2, () => ({ kind: "list", items: draw.list(0, 3, () => this.int(0)) })],
      [2, () => reference("nums")],
      ...this.onNode(3, () => ({ to: "property", name: "k" })),
      ...this.when<Expr>(2, this.named("ints"), variable),
    ];
    if (depth > 0)
      makers.push(
        [1, () => call("tail", this.ints(depth - 1))],
        // Of a stored list that is empty, the server (5.26.31) makes none that reverse() takes.
        [1, () => call("reverse", { kind: "list", items: draw.list(0, 3, () => this.int(0)) })],
        [1, () => this.#slice(this.ints(depth - 1))],
        [2, () => this.#each(this.ints(depth - 1), "int", (inside) => inside.int(depth - 1), depth)],
        [1, () => ({ kind: "arithmetic", operator: "+", left: this.ints(depth - 1), right: this.ints(0) })],
        ...this.when<Expr>(2, this.named("edges"), (name) => {
          const item = draw.fresh("e");
          const result: Expr = { kind: "edge-path", of: variable(item), name: "w" };
          return { kind: "each", variable: item, list: variable(name), result };
        }),
      );
    return draw.among(makers);
  }

  texts(depth: number): Expr {
    const draw = this.draw;
    const makers: Maker<Expr>[] = [
      [2, () => ({ kind: "list", items: draw.list(0, 3, () => this.text(0)) })],
      [2, () => reference("ids")],
      ...this.onNode(3, () => ({ to: "property", name: "l" })),
      ...this.when<Expr>(2, this.named("texts"), variable),
    ];
    if (depth > 0)
      makers.push(
        [1, () => call("split", this.text(depth - 1), literal(draw.pick([" ", "a"])))],
        [2, () => this.#each(this.texts(depth - 1), "text", (inside) => inside.text(depth - 1), depth)],
        ...this.when<Expr>(2, this.named("path"), (name) => {
          const item = draw.fresh("e");
          const result = on(variable(item), { to: "system", name: "external_id" });
          return { kind: "each", variable: item, list: call("nodes", variable(name)), result };
        }),
      );
    return draw.among(makers);
  }

  #slice(of: Expr): Expr {
    const bound = () => literal(BigInt(this.draw.int(0, 2)));
    const [from, to] = [this.draw.maybe(0.7, bound), this.draw.maybe(0.7, bound)];
    return { kind: "slice", of, ...(from && { from }), ...((to ?? !from) ? { to: to ?? bound() } : {}) };
  }

  #each(list: Expr, kind: Kind, result: (inside: Values) => Expr, depth: number): Expr {
    const name = this.draw.fresh("e");
    const inside = this.inside(name, kind);
    const where = this.draw.maybe(0.6, () => inside.truth(Math.min(1, depth - 1)));
    const mapped = this.draw.maybe(0.6, () => result(inside));
    return { kind: "each", variable: name, list, ...(where && { where }), ...(mapped && { result: mapped }) };
  }

  /** A list of any kind, with no use made of its order. */
  list(depth: number): Expr {
    const draw = this.draw;
    const makers: Maker<Expr>[] = [
      [2, () => this.ints(depth)],
      [2, () => this.texts(depth)],
      ...this.when<Expr>(3, this.named("int-bag", "text-bag", "node-bag", "edges"), variable),
    ];
    const path = freshPath(this.studio, this.scope);
    if (path !== undefined)
      makers.push([
        2,
        () => {
          const inside = this.at(path.scope);
          const where = draw.maybe(0.5, () => inside.truth(0));
          return { kind: "each-path", path: path.spec, ...(where && { where }), result: inside.int(0) };
        },
      ]);
    return draw.among(makers);
  }
}
