/** npm run bench policy-core: the policy language by itself, without a database. */
import { say } from "../../../stack/launch/progress.mjs";
import { writeSection } from "../write-section.ts";
import { measureCompile } from "./compile.ts";
import { measureFilters } from "./filters.ts";
import { compiledMemory, importTime } from "./fresh.ts";
import { type Figures, linesOf, section, table } from "./report.ts";
import { readTexts } from "./texts.ts";

/** Measures, prints, writes its section of `docs/benchmarks.md`. @returns whether every target is met */
export const policyCore = async (): Promise<boolean> => {
  const texts = readTexts();
  say(`${texts.policies.length} policies, ${texts.fromCorpus} of them from the corpus`);
  const figures: Figures = {
    imported: await importTime("@ikg/policy-core"),
    importedAll: await importTime(
      "@ikg/policy-core",
      "@ikg/policy-core/queries",
      "@ikg/policy-core/statements",
    ),
    importedZod: await importTime("zod"),
    memory: await compiledMemory(),
    compile: measureCompile(texts),
    filters: measureFilters(),
    fromCorpus: texts.fromCorpus,
  };
  const lines = linesOf(figures);
  writeSection("Policy language", section(lines, figures));
  for (const line of table(lines)) say(line);
  return lines.every(({ met }) => met);
};
