import type { DeleteOptions, IkgAdmin, ListOptions, ReadOptions, UpdateOptions } from "@ikg/client";
import { InvalidArgumentError } from "commander";
import { CommandFault } from "../command-environment.ts";
import { type CollectionName, collectionNames } from "./collection-names.ts";

/** A record, whatever its collection. */
export type AnyRecord = Readonly<Record<string, unknown>> & { readonly id: string };

type Fields = Readonly<Record<string, unknown>>;

/** Operations of every collection; the suite validates the records. */
export interface AnyCollection {
  list(options?: ListOptions): Promise<AnyRecord[]>;
  get(name: string, options?: ReadOptions): Promise<AnyRecord>;
  create(fields: Fields): Promise<AnyRecord>;
  delete(name: string, options?: DeleteOptions): Promise<void>;
  /** Credentials have none. */
  update?(name: string, change: (record: AnyRecord) => Fields, options?: UpdateOptions): Promise<AnyRecord>;
}

/** The collection that an argument names. */
export const collectionArgument = (text: string): CollectionName => {
  const name = Object.hasOwn(collectionNames, text) ? collectionNames[text] : undefined;
  if (name !== undefined) return name;
  throw new InvalidArgumentError(`one of ${Object.keys(collectionNames).join(", ")} expected.`);
};

/**
 * Options of a write of a record in any state. Deployments with `CONFIG_REQUIRE_IF_MATCH` refuse writes without `If-Match`.
 */
export const inAnyState = { ifMatch: "*" } as const;

/** Opens a collection by name, without static types of its records. */
export const openCollection = (admin: IkgAdmin, name: CollectionName): AnyCollection =>
  admin[name] as unknown as AnyCollection;

export const updatable = (collection: AnyCollection): Required<AnyCollection> => {
  if (collection.update === undefined)
    throw new CommandFault("credentials cannot be updated: create a new one and revoke this one");
  return collection as Required<AnyCollection>;
};
