import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const named = process.env["IKG_CORPUS"];

/** Real policies, kept outside of the repository: `IKG_CORPUS`, or a folder beside it. */
const folder = named
  ? pathToFileURL(`${named.replace(/\/$/, "")}/`)
  : new URL("../../../../shared/corpus/", import.meta.url);

/** An entry of a `policies.json`; members that no test here reads are left out. */
export interface CorpusEntry {
  readonly id: string;
  readonly kind: "kbac" | "ciq" | "query";
  readonly policy?: { readonly meta?: { readonly policy_version?: string } };
  readonly query?: object;
  readonly paired_with?: string | readonly string[] | null;
  readonly expected?: string;
}

const parts = ["agents", "bank", "demo", "snippets"];

const files = parts.map((part) => new URL(`${part}/policies.json`, folder));

/** Said in the name of the test that cannot run without it. */
export const corpusIsAbsent = files.every((file) => existsSync(file))
  ? undefined
  : "IKG_CORPUS names no folder of policies";

/** Policies of the first generation are saved as `2.0-kbac`. */
const modern = (entry: CorpusEntry): CorpusEntry =>
  /^1\.0-(?!ciq$)/.test(entry.policy?.meta?.policy_version ?? "")
    ? { ...entry, policy: { ...entry.policy, meta: { policy_version: "2.0-kbac" } } }
    : entry;

/** Policies and queries that people have written; none where the folder is not there. */
export const corpus: readonly CorpusEntry[] =
  corpusIsAbsent === undefined
    ? // The shape is the one that the README of the folder states.
      files.flatMap((file) => (JSON.parse(readFileSync(file, "utf8")) as CorpusEntry[]).map(modern))
    : [];

/** The queries that run under a policy of the corpus. */
export const queriesOf = (policy: CorpusEntry): readonly object[] =>
  corpus.flatMap(({ query, paired_with }) =>
    query !== undefined && paired_with === policy.id ? [query] : [],
  );
