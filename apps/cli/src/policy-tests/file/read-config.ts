import { basename, resolve } from "node:path";
import { recordName } from "@ikg/contracts";
import { isJsonObject } from "@ikg/contracts/values";
import { compilePolicy } from "@ikg/policy-core";
import { compileQuery } from "@ikg/policy-core/queries";
import type { z } from "zod";
import { type DiagnosticList, type Place, type Source, validate } from "@ikg/sources";
import type { Files, OpenedFile } from "./files.ts";
import { languageFaultPlace } from "./language-fault.ts";
import { PolicyFile, PolicyText, QueryFile, type PolicyTests } from "./schema.ts";
import type { PolicyDefinition, QueryDefinition, ResolverDefinition } from "./world.ts";

type Path = readonly PropertyKey[];
type AnyObject = Readonly<Record<string, unknown>>;

/** The location of a record: in a separate file, or inline. */
interface Written {
  readonly source: Source;
  readonly path: Path;
  readonly value: unknown;
  readonly folder: string;
}

interface Draft<T> {
  readonly name: string;
  readonly place: Place;
  readonly record: T;
  /** Location of its text. */
  readonly text: Written;
}

export interface Config {
  readonly policies: readonly PolicyDefinition[];
  readonly queries: readonly QueryDefinition[];
  /** Records of resolvers by name; the test file contains their responses. */
  readonly resolvers: ReadonlyMap<string, AnyObject>;
}

const nameOfFile = (file: string): string => basename(file).replace(/\.(ya?ml|json)$/, "");

/** `ikg pull` writes a policy or query as its JSON text where an object would change it; no path begins like that. */
const isJsonText = (value: unknown): boolean => typeof value === "string" && /^\s*\{/.test(value);

/** Reads the policies, queries and resolvers of one test file. */
class ConfigReader {
  readonly policies: Draft<z.output<typeof PolicyFile>>[] = [];
  readonly queries: Draft<z.output<typeof QueryFile>>[] = [];
  readonly resolvers = new Map<string, AnyObject>();
  readonly #files: Files;
  readonly #faults: DiagnosticList;

  constructor(files: Files, faults: DiagnosticList) {
    this.#files = files;
    this.#faults = faults;
  }

  /** The kind of a file is determined by its keys. */
  async file({ source, folder }: OpenedFile): Promise<void> {
    const written = { source, path: [], value: source.value, folder };
    const { value } = source;
    const name =
      isJsonObject(value) && typeof value["name"] === "string" ? value["name"] : nameOfFile(source.file);
    if (isJsonObject(value) && "query" in value) await this.query(name, written);
    else if (isJsonObject(value) && ("meta" in value || "policy" in value)) await this.policy(name, written);
    else if (isJsonObject(value) && "response_selector" in value) this.resolvers.set(name, value);
    // Other files of `ikg pull` are ignored: the runner creates its own applications, agents and so on.
    else if (nameOfFile(source.file) !== "project")
      this.#faults.add(
        source.placeOf([]),
        "a policy (meta or policy), a query (query) or a resolver (response_selector) expected",
      );
  }

  async policy(name: string, written: Written): Promise<void> {
    const opened = await this.#resolve(written);
    if (opened === undefined) return;
    const { source, path, value } = opened;
    const isBare = isJsonObject(value) && "meta" in value;
    const bare = isBare ? validate(PolicyText, source, value, this.#faults, path) : undefined;
    const record = isBare
      ? bare && { policy: bare }
      : validate(PolicyFile, source, value, this.#faults, path);
    const text = record && (isBare ? opened : await this.#textOf(opened, "policy", record.policy));
    if (record === undefined || text === undefined) return;
    this.policies.push({ name, place: written.source.placeOf(written.path), record, text });
  }

  async query(name: string, written: Written): Promise<void> {
    const opened = await this.#resolve(written);
    if (opened === undefined) return;
    const record = validate(QueryFile, opened.source, opened.value, this.#faults, opened.path);
    const text = record && (await this.#textOf(opened, "query", record.query));
    if (record === undefined || text === undefined) return;
    this.queries.push({ name, place: written.source.placeOf(written.path), record, text });
  }

  /** Resolves a reference to another file. */
  async #resolve(written: Written): Promise<Written | undefined> {
    const { source, path, value, folder } = written;
    if (typeof value !== "string") return written;
    const file = await this.#files.open(resolve(folder, value), source.placeOf(path));
    return file && { source: file.source, path: [], value: file.source.value, folder: file.folder };
  }

  async #textOf(record: Written, key: string, value: unknown): Promise<Written | undefined> {
    const written = { ...record, path: [...record.path, key], value };
    return isJsonText(value) ? written : this.#resolve(written);
  }
}

/** Validates names, and rejects duplicates. */
const checkNames = (drafts: readonly Draft<unknown>[], what: string, faults: DiagnosticList): void => {
  const seen = new Set<string>();
  for (const { name, place } of drafts) {
    const judged = recordName.safeParse(name);
    if (!judged.success)
      faults.add(place, `${what} ${name}: ${judged.error.issues[0]?.message ?? "no name"}`);
    if (seen.has(name)) faults.add(place, `duplicate ${what} ${name}`);
    seen.add(name);
  }
};

const definitionOf = <T extends { status?: "ACTIVE" | "INACTIVE" | "DRAFT" | undefined }>({
  name,
  place,
  record,
  text,
}: Draft<T>) => ({
  name,
  place,
  status: record.status ?? "ACTIVE",
  text: typeof text.value === "string" ? text.value : JSON.stringify(text.value),
  placeOfFault: (fault: string): Place => languageFaultPlace(text.source, text.path, fault),
});

const compilePolicies = (reader: ConfigReader, faults: DiagnosticList): readonly PolicyDefinition[] =>
  reader.policies.map((draft) => {
    const definition = definitionOf(draft);
    const tags = draft.record.tags ?? [];
    if (definition.status === "DRAFT") return { ...definition, tags, compiled: undefined };
    const checked = compilePolicy(definition.text);
    if (!checked.ok) for (const fault of checked.faults) faults.add(definition.placeOfFault(fault), fault);
    return { ...definition, tags, compiled: checked.ok ? checked.value : undefined };
  });

const compileQueries = (
  reader: ConfigReader,
  policies: readonly PolicyDefinition[],
  faults: DiagnosticList,
): readonly QueryDefinition[] =>
  reader.queries.map((draft) => {
    const definition = { ...definitionOf(draft), policy: draft.record.policy };
    const policy = policies.find(({ name }) => name === definition.policy);
    if (policy === undefined || policy.compiled?.kind === "kbac") {
      const known = policies.filter(({ compiled }) => compiled?.kind === "ciq").map(({ name }) => name);
      faults.add(
        draft.place,
        `query ${draft.name}: ${definition.policy} is not a 1.0-ciq policy of this file; known: ${known.join(", ") || "none"}`,
      );
    }
    if (definition.status === "DRAFT" || policy?.compiled?.kind !== "ciq")
      return { ...definition, compiled: undefined };
    const checked = compileQuery(definition.text, policy.compiled);
    if (!checked.ok) for (const fault of checked.faults) faults.add(definition.placeOfFault(fault), fault);
    return { ...definition, compiled: checked.ok ? checked.value : undefined };
  });

/** Reads and compiles the records of `config`, `policies` and `queries` of a test file. */
export const readConfig = async (
  { source, folder }: OpenedFile,
  tests: PolicyTests,
  files: Files,
  faults: DiagnosticList,
): Promise<Config> => {
  const reader = new ConfigReader(files, faults);
  for (const [index, path] of [tests.config ?? []].flat().entries()) {
    const place = source.placeOf(typeof tests.config === "string" ? ["config"] : ["config", index]);
    for (const file of await files.openAll(folder, path, place)) await reader.file(file);
  }
  for (const [name, value] of Object.entries(tests.policies ?? {}))
    await reader.policy(name, { source, path: ["policies", name], value, folder });
  for (const [name, value] of Object.entries(tests.queries ?? {}))
    await reader.query(name, { source, path: ["queries", name], value, folder });
  checkNames(reader.policies, "policy", faults);
  checkNames(reader.queries, "query", faults);
  const policies = compilePolicies(reader, faults);
  return { policies, queries: compileQueries(reader, policies, faults), resolvers: reader.resolvers };
};

/** Combines resolvers with their responses. */
export const readResolvers = (
  source: Source,
  answers: AnyObject,
  records: Config["resolvers"],
  faults: DiagnosticList,
): readonly ResolverDefinition[] =>
  Object.entries(answers).map(([name, answer]) => {
    const place = source.placeOfKey(["resolvers"], name);
    const judged = recordName.safeParse(name);
    if (!judged.success)
      faults.add(place, `resolver ${name}: ${judged.error.issues[0]?.message ?? "no name"}`);
    return { name, answer, place, record: records.get(name) ?? { response_selector: selectorFor(answer) } };
  });

/** The default selector of a resolver without a record: the only member of the response, otherwise the response itself. */
const selectorFor = (answer: unknown): string => {
  const [key, other] = isJsonObject(answer) ? Object.keys(answer) : [];
  return key !== undefined && other === undefined ? `$[${JSON.stringify(key)}]` : "$";
};
