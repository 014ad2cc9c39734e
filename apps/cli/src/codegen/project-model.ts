/** What a project knows, as far as types can say it. */
export interface ProjectModel {
  /** Types of values of each property, by node type. */
  readonly nodes: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<ValueType>>>;
  readonly relationships: ReadonlySet<string>;
  /** Parameters by subject type, resource type and action. */
  readonly actions: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, Parameters>>>;
  readonly queries: ReadonlyMap<string, QueryModel>;
}

export type ValueType = "string" | "number" | "boolean" | "list";

/** Parameters by name: a value, or an object of which members are read. */
export type Parameters = ReadonlyMap<string, "value" | "object">;

export interface QueryModel {
  readonly params: Parameters;
  readonly writes: boolean;
  /** Paths of the members of a row, by part. */
  readonly row: Readonly<Record<RowPart, readonly RowPath[]>>;
}

export type RowPart = "nodes" | "relationships" | "aggregate_values";

export interface RowPath {
  readonly path: string;
  /** `open`: it stands for members whose names are known by the graph alone. */
  readonly type: "string" | "value" | "open";
}

/** A policy or query by its name, with its text. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export interface NamedQuery extends NamedText {
  /** Name of its policy. */
  readonly policy: string;
}

/** What a model is made of; texts are those of ACTIVE records. */
export interface ModelSources {
  readonly policies: readonly NamedText[];
  readonly queries: readonly NamedQuery[];
  readonly graph: GraphTypes;
}

/** Types of nodes with their properties, and of relationships, as a graph has them. */
export type GraphTypes = Pick<ProjectModel, "nodes" | "relationships">;
