import { nodePropertyOf } from "@ikg/contracts";
import type { ExternalReference } from "@ikg/query-rows";

/** What placeholders of one execution may name. */
export interface CallValues {
  readonly inputParams: Readonly<Record<string, unknown>>;
  readonly applicationId: string;
}

/** Names that the platform gives; what a caller sends under them is not looked at. */
const systemNames = {
  _externalId: ({ externalId }: ExternalReference) => externalId,
  _nodeType: ({ nodeType }: ExternalReference) => nodeType,
  _propertyType: ({ property }: ExternalReference) => property,
  "node.external_id": ({ externalId }: ExternalReference) => externalId,
  "node.type": ({ nodeType }: ExternalReference) => nodeType,
} as const;

const reserved: ReadonlySet<string> = new Set(["token", "request"]);

/** What a name stands for; undefined for what is missing, null included. */
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
