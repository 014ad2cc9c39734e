import { propertyField } from "@ikg/physical";
import type { Fields } from "./fields.ts";

/** A property of a node whose value an external service knows. */
export class ExternalReference {
  /** Name or gid. */
  readonly resolver: string;
  readonly externalId: string;
  readonly nodeType: string;
  readonly property: string;
  readonly #fields: Fields;

  /** @param fields as the database gives them. */
  constructor(
    fields: Readonly<Record<"resolver" | "external_id" | "type", unknown>>,
    property: string,
    nodeFields: Fields = {},
  ) {
    this.resolver = String(fields.resolver);
    this.externalId = String(fields.external_id);
    this.nodeType = String(fields.type);
    this.property = property;
    this.#fields = nodeFields;
  }

  /** What is stored as a property of the node; undefined for nothing, and where a resolver knows that one as well. */
  nodeValue(property: string): unknown {
    const field = propertyField(property);
    const stored = Object.hasOwn(this.#fields, field) ? this.#fields[field] : undefined;
    return typeof stored === "bigint" ? Number(stored) : (stored ?? undefined);
  }
}
