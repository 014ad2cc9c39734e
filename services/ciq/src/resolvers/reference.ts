/** A property of a node whose value somebody else's service knows (runtime specification 3.2). */
export class ExternalReference {
  /** Name or gid. */
  readonly resolver: string;
  readonly externalId: string;
  readonly nodeType: string;
  readonly property: string;

  /** @param fields as the database gives them. */
  constructor(fields: Readonly<Record<"resolver" | "external_id" | "type", unknown>>, property: string) {
    this.resolver = String(fields.resolver);
    this.externalId = String(fields.external_id);
    this.nodeType = String(fields.type);
    this.property = property;
  }
}
