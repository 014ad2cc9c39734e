import type { CallSizes } from "./call-sizes.ts";

/** Which language a text is written in: it decides the reserved names. */
export type Language = "kbac" | "ciq";

/** Names that the platform binds to the request in KBAC policies; ordinary parameters in CIQ. */
const requestNames = [
  "subject_external_id",
  "subject_type",
  "resource_external_id",
  "resource_type",
] as const;

export type RequestName = (typeof requestNames)[number];

/** Where a `$…` in a policy, filter or query gets its value from. */
export type Reference =
  | { readonly kind: "parameter"; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: "token"; readonly path: readonly string[] }
  | { readonly kind: "request"; readonly path: readonly string[] }
  | { readonly kind: "application" }
  | { readonly kind: "platform"; readonly name: RequestName }
  /** A reserved name that nothing fills: always null. */
  | { readonly kind: "absent" };

const isRequestName = (name: string): name is RequestName =>
  (requestNames as readonly string[]).includes(name);

const requestPath = (path: readonly string[]): string | undefined => {
  const [first, second] = path;
  const entity = first === "subject" || first === "resource" || first === "action";
  if (entity && second === "properties" && path.length >= 3) return undefined;
  if (first === "context" && path.length >= 2) return undefined;
  return "$request is read by $request.subject|resource|action.properties.<key> and $request.context.<key>";
};

/**
 * Decides what `$name` with the members `path` refers to.
 *
 * @returns the reference, or the reason why the name may not be used here.
 */
export const referenceOf = (
  name: string,
  path: readonly string[],
  language: Language,
): Reference | { readonly fault: string } => {
  if (name === "token") {
    return path.length > 0 ? { kind: "token", path } : { fault: "$token needs a claim: $token.<claim>" };
  }
  if (name === "ik_token") {
    // Reserved like $token; there is no delegation token, so every claim is absent.
    return path.length > 0 ? { kind: "absent" } : { fault: "$ik_token needs a claim: $ik_token.<claim>" };
  }
  if (name === "request") {
    if (language === "ciq") return { fault: 'parameter "$request" is reserved and cannot be referenced' };
    const fault = requestPath(path);
    return fault === undefined ? { kind: "request", path } : { fault };
  }
  if (language === "kbac") {
    if (name === "subject_id" || name.startsWith("_")) {
      return { fault: `parameter "$${name}" is reserved and cannot be referenced` };
    }
    if (isRequestName(name)) {
      return path.length === 0
        ? { kind: "platform", name }
        : { fault: `$${name} is a text and has no members` };
    }
  } else {
    if (name === "_appId") {
      return path.length === 0 ? { kind: "application" } : { fault: "$_appId is a text and has no members" };
    }
    if (name.startsWith("__")) return { fault: `parameter "$${name}" is reserved and cannot be referenced` };
  }
  return { kind: "parameter", name, path };
};

const referencePattern = /^\$([A-Za-z_][A-Za-z0-9_]*)((?:\.[A-Za-z_][A-Za-z0-9_]*)*)$/;

/** Reads the text of a reference as filters write it: `$token.act.sub`, `$limit`. */
export const readReference = (text: string, language: Language): Reference | { readonly fault: string } => {
  const match = referencePattern.exec(text);
  if (match === null) return { fault: "a reference is written $name or $name.member" };
  const [, name = "", members = ""] = match;
  return referenceOf(name, members === "" ? [] : members.slice(1).split("."), language);
};

/** A reference as its author writes it. */
export const referenceText = (reference: Reference): string => {
  switch (reference.kind) {
    case "parameter":
      return `$${[reference.name, ...reference.path].join(".")}`;
    case "token":
    case "request":
      return `$${[reference.kind, ...reference.path].join(".")}`;
    case "application":
      return "$_appId";
    case "platform":
      return `$${reference.name}`;
    case "absent":
      return "$ik_token";
  }
};

/** A name in back-quotes may hold the marks that join names; escaped, no two references have one key. */
const escapeName = (name: string): string =>
  name.replaceAll("%", "%25").replaceAll(".", "%2E").replaceAll("#", "%23");

const joinNames = (names: readonly string[]): string => names.map(escapeName).join(".");

/** The name by which a reference is looked up in a bound row: members joined by dots, one flat key. */
export const referenceKey = (reference: Reference): string => {
  switch (reference.kind) {
    case "parameter":
      return joinNames([reference.name, ...reference.path]);
    case "token":
    case "request":
      return joinNames(reference.path);
    case "application":
      return "_appId";
    case "platform":
      return reference.name;
    case "absent":
      return "";
  }
};

/**
 * What is made of a value in memory for a statement, because the database cannot do it or cannot do it safely:
 * the instant of a time, the checked pattern for its matcher, the key by which a text of high code points sorts.
 */
export type DerivedForm = "instant" | "pattern" | "order";

/** The name of a value in a form; a "#" in a name is escaped. */
export const formKey = (reference: Reference, form: DerivedForm): string =>
  `${referenceKey(reference)}#${form}`;

/** What the value of a parameter is checked to be when it is bound; every parameter must be present. */
export type ParameterCheck = "any" | "array" | "count" | "external_id" | "pattern";

/**
 * Every `$…` that a policy, filter or query reads, taken from the checked tree and never by scanning text.
 */
export class RequiredInputs {
  readonly references = new Map<string, Reference>();
  /** References that a statement reads in a form of their value, besides the value itself. */
  readonly forms = new Map<string, { readonly reference: Reference; readonly form: DerivedForm }>();
  readonly parameterChecks = new Map<string, Set<ParameterCheck>>();
  /** How large the values of a request may be; undefined: as large as a request can hold them. */
  #sizes: CallSizes | undefined;

  get sizes(): CallSizes | undefined {
    return this.#sizes;
  }

  /** Values of the request may not be larger; of two limits the smaller one holds. */
  limit(sizes: CallSizes): void {
    if (this.#sizes === undefined || sizes.weight < this.#sizes.weight) this.#sizes = sizes;
  }

  add(reference: Reference, parameterCheck: ParameterCheck = "any", form?: DerivedForm): void {
    this.references.set(`${reference.kind}:${referenceKey(reference)}`, reference);
    if (form !== undefined) {
      this.forms.set(`${reference.kind}:${formKey(reference, form)}`, { reference, form });
    }
    if (reference.kind !== "parameter") return;
    const known = this.parameterChecks.get(reference.name);
    // A check concerns the parameter itself; a member of an object parameter only needs the object.
    const own = reference.path.length === 0 ? parameterCheck : "any";
    if (known === undefined) this.parameterChecks.set(reference.name, new Set([own]));
    else known.add(own);
  }

  addAll(other: RequiredInputs): void {
    if (other.#sizes !== undefined) this.limit(other.#sizes);
    for (const [key, reference] of other.references) this.references.set(key, reference);
    for (const [key, form] of other.forms) this.forms.set(key, form);
    for (const [name, checks] of other.parameterChecks) {
      const known = this.parameterChecks.get(name) ?? new Set<ParameterCheck>();
      for (const check of checks) known.add(check);
      this.parameterChecks.set(name, known);
    }
  }

  /** Names of the input parameters that a call must bring, without `$`. */
  get parameters(): readonly string[] {
    return [...this.parameterChecks.keys()];
  }

  get readsToken(): boolean {
    for (const { kind } of this.references.values()) if (kind === "token") return true;
    return false;
  }
}

export const needsOf = (...parts: readonly RequiredInputs[]): RequiredInputs => {
  const all = new RequiredInputs();
  for (const part of parts) all.addAll(part);
  return all;
};
