import type { IkgAdmin } from "@ikg/client";
import type { ChangeableCollection } from "@ikg/contracts";
import { escapePlaceholders } from "./environment.ts";
import { valueOfText } from "./language-value.ts";
import {
  type Fields,
  type FolderCollection,
  folders,
  type Named,
  ofEach,
  type OtherCollection,
  type ProjectFiles,
} from "./project-files.ts";
import { statedFields } from "./stated-fields.ts";

type ProjectExport = Awaited<ReturnType<IkgAdmin["export"]>>;

/** A secret that a read does not show. */
export type Secret = ProjectExport["secrets"][number];

/** Credentials are not written to files; `ikg keys` creates them. */
export const isCredential = ({ collection }: Secret): boolean => collection.endsWith("-credentials");

/** The environment variable of a secret. */
export const variableOf = ({ collection, name, field }: Secret): string =>
  `${collection}_${name}_${field}`.replaceAll(/[^A-Za-z0-9]+/g, "_").toUpperCase();

const byName = <T extends { readonly name: string }>(
  collection: FolderCollection,
  records: readonly T[],
  fieldsOf: (each: T) => Fields,
): Named =>
  new Map(
    records
      .map((each) => [each.name, statedFields(collection, fieldsOf(each))] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/**
 * Converts an export of a project to the contents of files.
 *
 * @param secretOf returns the placeholder of a secret; undefined omits it.
 */
export const filesOfExport = (
  { changes, records, secrets }: ProjectExport,
  secretOf: (secret: Secret) => unknown,
): ProjectFiles => {
  const texts = (collection: ChangeableCollection): Named => {
    const { text } = folders[collection];
    const puts = changes.flatMap((change): readonly { readonly name: string; readonly record: Fields }[] =>
      change.op === "put" && change.collection === collection
        ? [{ name: change.name, record: { ...change.record } }]
        : [],
    );
    return byName(collection, puts, ({ record }) => ({ ...record, [text]: valueOfText(record[text]) }));
  };
  const others = (collection: OtherCollection): Named =>
    byName(
      collection,
      records.filter((each) => each.collection === collection),
      ({ name, record }) => ({
        ...(escapePlaceholders(record) as Fields), // of fields
        ...Object.fromEntries(
          secrets
            .filter((secret) => secret.collection === collection && secret.name === name)
            .map((secret) => [secret.field, secretOf(secret)]),
        ),
      }),
    );
  return {
    texts: {
      "authorization-policies": texts("authorization-policies"),
      "knowledge-queries": texts("knowledge-queries"),
    },
    others: ofEach(others),
  };
};
