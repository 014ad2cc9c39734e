import type { Expr, PathStep, ReferenceExpr } from "./model.ts";
import { isEdge, type Value, type WorldNode } from "./values.ts";
import type { World } from "./world.ts";

/** The names of one match, with what they are bound to. */
export type Row = ReadonlyMap<string, Value>;

/** A name that the request fixes: the type always, the id unless that side is searched. */
export interface Pin {
  readonly type: string;
  readonly id: string | undefined;
}

export interface Setting {
  readonly world: World;
  readonly pins: ReadonlyMap<string, Pin>;
  readonly lookUp: (reference: ReferenceExpr) => Value;
  /** Expressions hold patterns and clauses in turn, so the files of those cannot import that of expressions. */
  readonly evaluate: (expr: Expr, row: Row, setting: Setting) => Value;
  /** Counts work and throws when a case is too big to be worth it. */
  readonly spend: () => void;
}

/** A node path; what is not there is null. */
export const nodeAttribute = (node: WorldNode, step: PathStep): Value => {
  switch (step.to) {
    case "system":
      return {
        external_id: node.externalId,
        type: node.externalId === null ? null : node.type,
        id: node.gid,
        create_time: node.createTime,
        update_time: node.updateTime,
      }[step.name];
    case "property":
      return node.properties.get(step.name) ?? null;
    case "metadata":
      return node.metadata.get(step.name)?.get(step.key) ?? null;
    case "trust":
      return node.externalId === null ? null : (node.trust?.get(step.name) ?? null);
  }
};

/** A property or system field of a relationship. */
export const edgeAttribute = (edge: Value, name: string): Value => {
  if (!isEdge(edge)) return null;
  const system = { type: edge.type, create_time: edge.createTime, update_time: edge.updateTime };
  return name in system ? system[name as keyof typeof system] : (edge.properties.get(name) ?? null);
};
