/** The parts of a project that are expressed as types. */
export interface ProjectModel {
  /** Types of values of each property, by node type. */
  readonly nodes: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<ValueType>>>;
  readonly relationships: ReadonlySet<string>;
  /** Parameters by subject type, resource type and action. */
  readonly actions: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, Parameters>>>;
  readonly queries: ReadonlyMap<string, QueryModel>;
}

export type ValueType = "string" | "number" | "boolean" | "list";

/** Parameters by name: a value, or an object whose members are used. */
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
  /** `open`: stands for members whose names are only known to the graph. */
  readonly type: "string" | "value" | "open";
}

/** A policy or query with its name and text. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export interface NamedQuery extends NamedText {
  /** Name of its policy. */
  readonly policy: string;
}

/** The sources of a model; only ACTIVE records. */
export interface ModelSources {
  readonly policies: readonly NamedText[];
  readonly queries: readonly NamedQuery[];
  readonly graph: GraphTypes;
}

/** Types of nodes with their properties, and types of relationships of a graph. */
export type GraphTypes = Pick<ProjectModel, "nodes" | "relationships">;
