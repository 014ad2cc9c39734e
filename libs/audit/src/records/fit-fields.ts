import { isJsonObject } from "@ikg/contracts";
import { type Copy, copyText, copyWhole, maxText } from "./bounded-copy.ts";
import { type DigestOf, digestText } from "./digest.ts";
import type { RedactionSettings } from "./redaction-settings.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A field that is incomplete in its record. */
export interface CutField {
  /** Names from the top of the record to the field. */
  readonly path: readonly string[];
  /** What the digest is of. */
  readonly original: unknown;
  /** Elements or members that are left, of a list or map. */
  readonly kept?: number;
  /** What is hashed instead of the original. */
  readonly shorten?: (original: unknown) => unknown;
}

interface Fitted extends Copy {
  readonly cuts: readonly CutField[];
}

export interface FitParts {
  readonly settings: RedactionSettings;
  readonly digests: DigestOf;
}

/** Lengths of texts that are tried in turn where there is too little space. */
const textLimits = [1024, 256, 64, 16];
/** Members of a map at most; each of them may cost a digest. */
const maxMembers = 256;
/** Parameters that are named one by one when they are cut; of more the map is named. */
const maxNamedParameters = 8;
/** Entries of a batch get at least so many bytes each, so that some of them say something. */
const minEntryBytes = 256;

const inputFields = new Set(["input_params", "inputs"]);

const fitList = (list: readonly unknown[], maxBytes: number, path: readonly string[]): Fitted => {
  const value: unknown[] = [];
  let bytes = 2;
  for (const each of list) {
    const copy = copyWhole(each, maxBytes - bytes - 1, 256);
    if (copy === undefined) break;
    value.push(copy.value);
    bytes += copy.bytes + 1;
  }
  return { value, bytes, cut: true, cuts: [{ path, original: list, kept: value.length }] };
};

/** The members that fit, from the first on. */
const fitMap = (
  map: object,
  maxBytes: number,
  copyMember: (name: string, value: unknown, maxBytes: number) => Copy | undefined,
): Copy & { readonly kept: number; readonly complete: boolean } => {
  const members: [string, unknown][] = [];
  let bytes = 2;
  let cut = false;
  for (const name in map) {
    if (!Object.hasOwn(map, name)) continue;
    const shown = copyText(name);
    const copy =
      members.length === maxMembers
        ? undefined
        : copyMember(name, Reflect.get(map, name), maxBytes - bytes - shown.bytes - 2);
    if (copy === undefined)
      return { value: Object.fromEntries(members), bytes, cut: true, kept: members.length, complete: false };
    members.push([String(shown.value), copy.value]);
    bytes += shown.bytes + copy.bytes + 2;
    cut ||= copy.cut || shown.cut;
  }
  return { value: Object.fromEntries(members), bytes, cut, kept: members.length, complete: true };
};

/** Parameters by their values or hashes. A value that does not fit is replaced by its hash. */
const fitInputs = (
  map: object,
  maxBytes: number,
  path: readonly string[],
  { settings, digests }: FitParts,
): Fitted => {
  const cuts: CutField[] = [];
  const fitted = fitMap(map, maxBytes, (name, value, left) => {
    const hash = (): Copy | undefined => (left < 73 ? undefined : copyText(digestText(digests(value))));
    if (settings.inputParams === "hashes") return hash();
    const copy = copyWhole(value, left);
    if (copy?.cut === false) return copy;
    const shown = copy ?? hash();
    if (shown !== undefined) cuts.push({ path: [...path, name], original: value });
    return shown === undefined ? undefined : { ...shown, cut: true };
  });
  const whole = fitted.complete && cuts.length <= maxNamedParameters;
  return { ...fitted, cuts: whole ? cuts : [{ path, original: map, kept: fitted.kept }] };
};

/** Bytes of the inputs of one entry. The members of `inputs` are shared by entries; the map of them is not. */
const sizeOf = (name: string, map: object, digests: DigestOf): number =>
  (name === "inputs" ? Object.values(map) : [map]).reduce<number>(
    (sum, each) => sum + digests(each).bytes,
    0,
  );

/**
 * A batch as it is hashed: its entries share the values that are stated once for all of them, so that `input_params`,
 * each member of `inputs` and each long text stand there as their own hashes.
 */
const shortBatch =
  (digests: DigestOf) =>
  (batch: unknown): unknown => {
    const short = (value: unknown, level: number): unknown => {
      if (typeof value === "string") return value.length > maxText ? digestText(digests(value)) : value;
      if (typeof value !== "object" || value === null) return value;
      if (Array.isArray(value)) return value.map((each) => short(each, level));
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [
          name,
          level > 0 || !isJsonObject(each)
            ? short(each, level + 1)
            : name === "input_params"
              ? digestText(digests(each))
              : name === "inputs"
                ? Object.fromEntries(
                    Object.entries(each).map(([key, one]) => [key, digestText(digests(one))]),
                  )
                : short(each, level + 1),
        ]),
      );
    };
    return short(batch, 0);
  };

/** Entries of a batch: as they are where they fit, else each with its share of the bytes. */
const fitEntries = (
  list: readonly Fields[],
  maxBytes: number,
  path: readonly string[],
  parts: FitParts,
): Fitted => {
  const { digests } = parts;
  const attempt = (shareOf: (left: number, index: number) => number) => {
    const value: unknown[] = [];
    let bytes = 2;
    let cut = false;
    for (const [index, entry] of list.entries()) {
      const left = maxBytes - bytes - 1;
      const share = shareOf(left, index);
      if (share > left) return { value, bytes, cut: true };
      // A map that no record holds is not looked through for each entry that has it.
      const held = Object.entries(entry).filter(
        ([name, each]) =>
          !inputFields.has(name) || !isJsonObject(each) || sizeOf(name, each, digests) <= maxBytes,
      );
      const copy = fitFields(Object.fromEntries(held), share, path, parts);
      value.push(copy.value);
      bytes += copy.bytes + 1;
      cut ||= copy.cut || held.length < Object.keys(entry).length;
      if (bytes > maxBytes) return { value, bytes, cut: true };
    }
    return { value, bytes, cut };
  };
  const whole = attempt((left) => Math.max(left, 0));
  if (!whole.cut) return { ...whole, cuts: [] };
  const fitted = attempt((left, index) => Math.max(minEntryBytes, Math.floor(left / (list.length - index))));
  const cut: CutField = { path, original: list, kept: fitted.value.length, shorten: shortBatch(digests) };
  return { ...fitted, cut: true, cuts: [cut] };
};

const fitField = (
  name: string,
  value: unknown,
  maxBytes: number,
  path: readonly string[],
  parts: FitParts,
): Fitted | undefined => {
  if (typeof value === "object" && value !== null) {
    if (inputFields.has(name)) return fitInputs(value, maxBytes, path, parts);
    // Entries are objects: the notes of batches make them.
    if (name === "evaluations" && Array.isArray(value))
      return fitEntries(value as readonly Fields[], maxBytes, path, parts);
  }
  for (const limit of textLimits) {
    const copy = copyWhole(value, maxBytes, limit);
    if (copy !== undefined) return { ...copy, cuts: copy.cut ? [{ path, original: value }] : [] };
    if (Array.isArray(value)) return fitList(value, maxBytes, path);
    if (name === "values" && typeof value === "object" && value !== null) {
      const { kept, ...fitted } = fitMap(value, maxBytes, (_, each, left) => copyWhole(each, left));
      return { ...fitted, cuts: [{ path, original: value, kept }] };
    }
  }
  return undefined;
};

const isKept = (name: string, value: unknown, { inputParams, values }: RedactionSettings): boolean =>
  value !== undefined &&
  !(name === "values" && values !== "full") &&
  !(inputFields.has(name) && inputParams === "none");

/** The fields with the names of the inputs that the settings leave out: otherwise a reader could not see that there were any. */
const withOmitted = (fields: Fields, { inputParams }: RedactionSettings): Fields => {
  if (inputParams !== "none") return fields;
  const omitted = Object.keys(fields).filter((name) => inputFields.has(name) && fields[name] !== undefined);
  return omitted.length === 0 ? fields : { ...fields, omitted };
};

/**
 * Fields as a record holds them, in at most `maxBytes` of JSON: values of properties only with `AUDIT_VALUES=full`,
 * those of input parameters as `AUDIT_INPUT_PARAMS` says. Where that is too little, the largest fields are cut: small
 * ones stay whole.
 */
export function fitFields(
  all: Fields,
  maxBytes: number,
  path: readonly string[],
  parts: FitParts,
): Fitted & { readonly value: Record<string, unknown> } {
  const fields = withOmitted(all, parts.settings);
  const names = Object.keys(fields).filter((name) => isKept(name, fields[name], parts.settings));
  const overhead = names.reduce((sum, name) => sum + name.length + 4, 2);
  const fit = (name: string, share: number) => fitField(name, fields[name], share, [...path, name], parts);
  const fitted = new Map(names.map((name) => [name, fit(name, maxBytes - overhead)]));
  const sizeOf = (name: string): number => fitted.get(name)?.bytes ?? Infinity;
  let left = maxBytes - overhead;
  const bySize = names.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  for (const [index, name] of bySize.entries()) {
    const share = Math.floor(left / (bySize.length - index));
    if (sizeOf(name) > share) fitted.set(name, fit(name, share));
    left -= fitted.get(name)?.bytes ?? 0;
  }
  const value: Record<string, unknown> = {};
  const cuts: CutField[] = [];
  let bytes = 2;
  for (const name of names) {
    const field = fitted.get(name);
    if (field === undefined) cuts.push({ path: [...path, name], original: fields[name], kept: 0 });
    else {
      value[name] = field.value;
      cuts.push(...field.cuts);
      bytes += name.length + 4 + field.bytes;
    }
  }
  return { value, bytes, cut: cuts.length > 0, cuts };
}
