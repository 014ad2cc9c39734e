import { nodePropertyOf } from "@ikg/contracts";
import type { ExternalReference } from "@ikg/query-rows";

/** The values that placeholders of one execution may name. */
export interface CallValues {
  readonly inputParams: Readonly<Record<string, unknown>>;
  readonly applicationId: string;
}

/** Names reserved by the platform; values that a caller sends under them are ignored. */
const systemNames = {
  _externalId: ({ externalId }: ExternalReference) => externalId,
  _nodeType: ({ nodeType }: ExternalReference) => nodeType,
  _propertyType: ({ property }: ExternalReference) => property,
  "node.external_id": ({ externalId }: ExternalReference) => externalId,
  "node.type": ({ nodeType }: ExternalReference) => nodeType,
} as const;

const reserved: ReadonlySet<string> = new Set(["token", "request"]);

/** The value of a name; undefined where it is missing or null. */
export type ValueOf = (name: string) => unknown;

export const valuesFor =
  ({ inputParams, applicationId }: CallValues, reference: ExternalReference): ValueOf =>
  (name) => {
    if (name === "_appId") return applicationId;
    const property = nodePropertyOf(name);
    if (property !== undefined) return reference.nodeValue(property);
    if (Object.hasOwn(systemNames, name)) return systemNames[name as keyof typeof systemNames](reference);
    if (reserved.has(name) || !Object.hasOwn(inputParams, name)) return undefined;
    return inputParams[name] ?? undefined;
  };

/** Of the names that a resolver mentions those that differ from node to node. */
export const nodeNames = (names: ReadonlySet<string>): readonly string[] =>
  [...names].filter((name) => Object.hasOwn(systemNames, name) || nodePropertyOf(name) !== undefined);
