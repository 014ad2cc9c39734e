import { readFileSync } from "node:fs";
import { join } from "node:path";
import { corpusFolder } from "../../../stack/src/testing/corpus.ts";

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

/** Policies of the first generation are saved as `2.0-kbac`. */
const modern = (entry: CorpusEntry): CorpusEntry =>
  /^1\.0-(?!ciq$)/.test(entry.policy?.meta?.policy_version ?? "")
    ? { ...entry, policy: { ...entry.policy, meta: { policy_version: "2.0-kbac" } } }
    : entry;

const read = (folder: string): readonly CorpusEntry[] =>
  parts.flatMap((part) => {
    const text = readFileSync(join(folder, part, "policies.json"), "utf8");
    // The shape is the one that the README of the folder states.
    return (JSON.parse(text) as CorpusEntry[]).map(modern);
  });

/** Policies and queries that people have written; none where the folder is not there. */
export const corpus: readonly CorpusEntry[] = corpusFolder === undefined ? [] : read(corpusFolder);

/** The queries that run under a policy of the corpus. */
export const queriesOf = (policy: CorpusEntry): readonly object[] =>
  corpus.flatMap(({ query, paired_with }) =>
    query !== undefined && paired_with === policy.id ? [query] : [],
  );
