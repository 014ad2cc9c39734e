/** Bodies of the two Capture endpoints, as far as the demo needs them. */

export type Value = string | number | boolean;

export interface MetadataInput {
  /** RFC 3339 */
  readonly verified_time?: string;
  readonly source?: string;
  readonly assurance_level?: 1 | 2 | 3;
  readonly custom_metadata?: Readonly<Record<string, Value>>;
}

export interface PropertyInput {
  readonly type: string;
  readonly value: Value;
  readonly metadata?: MetadataInput;
}

export interface NodeInput {
  readonly type: string;
  readonly external_id: string;
  readonly is_identity?: boolean;
  readonly properties: readonly PropertyInput[];
}

export interface NodeRefInput {
  readonly type: string;
  readonly external_id: string;
}

export interface RelationshipInput {
  readonly source: NodeRefInput;
  readonly type: string;
  readonly target: NodeRefInput;
  readonly properties?: readonly PropertyInput[];
}

/** A property of a node or relationship. */
export const property = (type: string, value: Value, metadata?: MetadataInput): PropertyInput =>
  metadata === undefined ? { type, value } : { type, value, metadata };
