import { z } from "zod";
import type { RecordKind } from "./kinds.ts";

/** What a create body does with a field: `defaulted` is optional and has a value all the same. */
export type CreateRule = "required" | "optional" | "defaulted";

/**
 * What an update does with a field:
 * `required`: it must be there. `kept`: the record keeps its value when the field is absent. `replaced`: an absent field
 * gets the value that it would get on create. `fixed`: it may be there and must not differ. `ignored`: it is not read.
 */
export type UpdateRule = "required" | "kept" | "replaced" | "fixed" | "ignored";

/**
 * One field of the records of a collection. From it follow the schemas of create and update bodies, storage, sealing of secrets,
 * versions, and its row in docs/api.md. The form of a read is stated once more, in the schema of the record: from that
 * follow the OpenAPI document and the client's types. A test checks that every field is in that schema, or has `read`.
 */
export interface Field<S extends z.ZodType = z.ZodType, C extends CreateRule = CreateRule> {
  /** Of the value; that it may be absent follows from `create` and `update`. */
  readonly schema: S;
  readonly create: C;
  readonly update: UpdateRule;
  /** Its description in the documentation. */
  readonly rule: string;
  readonly default?: z.output<S>;
  /**
   * `""` counts as absent on create and removes the value on update. An optional text whose update is `kept` needs it,
   * since absence keeps the value; what is no text needs `clearedBy`.
   */
  readonly emptyRemoves?: true;
  /**
   * The value that stands for none, as `{}` of an object: an update that sends it clears the field. Secrets have none,
   * because a file of the record omits them and does not mean to clear them; their rules say what empties them.
   */
  readonly clearedBy?: z.output<S>;
  /** Where it is stored, if not in the record's data: in a separate property of this name, or as the record's large text. */
  readonly storedIn?: { readonly column: string } | "text";
  /** It names another record, which cannot be deleted while this one exists. */
  readonly reference?: RecordKind;
  /** Its description on reads, if they do not return the value itself. */
  readonly read?: string;
  /** It is a secret, or contains one: stored encrypted. */
  readonly sealed?: true;
  /** Of a sealed field: what reads, and former versions, show of the value. Without it they show the value itself. */
  maskForRead?(this: void, value: z.output<S>): unknown;
}

export type Fields = Readonly<Record<string, Field>>;

/** A create body of these fields, parsed. */
export type BodyOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer S, infer C>
    ? C extends "optional"
      ? z.output<S> | undefined
      : z.output<S>
    : never;
};

/** An update, parsed: `undefined` keeps or leaves to the default, `null` removes. */
export type UpdateOf<F extends Fields> = {
  readonly [K in keyof F]?: z.output<F[K]["schema"]> | null | undefined;
};

const absentToUndefined = (value: unknown): unknown => value ?? undefined;
const emptyToAbsent = (value: unknown): unknown => (value === "" ? undefined : absentToUndefined(value));

const onCreate = (field: Field): z.ZodType => {
  if (field.create === "required") return field.schema;
  const absent = field.emptyRemoves === true ? emptyToAbsent : absentToUndefined;
  return z
    .unknown()
    .optional()
    .transform(absent)
    .pipe(field.schema.optional())
    .transform((value) => value ?? field.default);
};

const onUpdate = (field: Field): z.ZodType => {
  if (field.update === "required") return field.schema;
  if (field.update === "fixed") return z.unknown().optional();
  if (field.update === "replaced") return onCreate({ ...field, create: "optional" });
  if (field.emptyRemoves === true)
    return z
      .unknown()
      .optional()
      .transform((value) => (value === "" ? null : absentToUndefined(value)))
      .pipe(field.schema.nullish());
  return z.unknown().optional().transform(absentToUndefined).pipe(field.schema.optional());
};

/** A check across several fields; runs also if single fields have errors, so that all are reported together. */
export type Combination = (
  body: Readonly<Record<string, unknown>>,
  fault: (path: readonly PropertyKey[], message: string) => void,
) => void;

const combined = (schema: z.ZodType, check: Combination | undefined): z.ZodType =>
  check === undefined
    ? schema
    : schema.superRefine(
        (body, context) =>
          check(body as Readonly<Record<string, unknown>>, (path, message) =>
            context.addIssue({ code: "custom", path: [...path], message }),
          ),
        { when: ({ value }) => typeof value === "object" && value !== null },
      );

const shapeOf = (fields: Fields, schemaOf: (field: Field) => z.ZodType): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));

/** The schema of a create body. */
export const createBody = <F extends Fields>(fields: F, check?: Combination): z.ZodType<BodyOf<F>> =>
  // The members are made field by field above, as the type says.
  combined(z.object(shapeOf(fields, onCreate)), check) as z.ZodType<BodyOf<F>>;

/** The schema of an update's body. */
export const updateBody = <F extends Fields>(fields: F, check?: Combination): z.ZodType<UpdateOf<F>> => {
  const changing = Object.fromEntries(
    Object.entries(fields).filter(([, { update }]) => update !== "ignored"),
  );
  return combined(z.object(shapeOf(changing, onUpdate)), check) as z.ZodType<UpdateOf<F>>;
};

/** Fields that are the content of a record in a project: all but its name and its project. */
export type ContentField<D extends Pick<RecordDescription, "fields">> = Exclude<
  keyof D["fields"] & string,
  "name" | "project_id"
>;

/** The records of one kind, as the wire and the documentation see them. */
export interface RecordDescription<F extends Fields = Fields> {
  readonly kind: RecordKind;
  /** Path below `/configs/v1`. */
  readonly path: string;
  /** What operation ids call one record, and several. */
  readonly singular: string;
  readonly plural: string;
  /** The containing record and the field that names it; deleting it deletes this one. */
  readonly parent: { readonly kind: RecordKind; readonly field: string };
  /** The scope in which a name is unique and by which a list is restricted. */
  readonly scope: "organization" | "project";
  /** False for credentials and role bindings: no name, no read by name, no update, no versions. */
  readonly hasName: boolean;
  /** A DELETE takes the entity tag as query parameter `etag` as well as in `If-Match`. */
  readonly etagInQuery?: true;
  /** Values of the list filter `type`, where the collection has one. */
  readonly listTypes?: readonly [string, ...string[]];
  readonly fields: F;
  /** A record as a read shows it. */
  readonly record: z.ZodObject;
  readonly create: z.ZodType<BodyOf<F>>;
  /** Absent where records are never updated. */
  readonly update?: z.ZodType<UpdateOf<F>>;
}
