import { type DryRun, DryRunReading, type ImportPlan, planImport, readMapping } from "@ikg/imports/browser";
import { useQuery } from "@tanstack/react-query";
import { useDebounced } from "../../../components/use-debounced.ts";
import type { ChosenFile, ImportWork, Sections } from "../work/import-work.ts";
import { mappingTextOf } from "../work/sections.ts";

const settleMs = 300;

/** How much of each file is read while one edits. */
const limits = { rows: 5, faults: 5, maxRows: 100 } as const;

let numbered = 0;
const numbers = new WeakMap<object, number>();

/** A number for each file that was chosen: another one of the same name is another file. */
const numberOf = (table: object): number => {
  const number = numbers.get(table) ?? ++numbered;
  numbers.set(table, number);
  return number;
};

/** What an import reads: files, and the mapping as its file. */
export const planOf = (files: readonly ChosenFile[], sections: Sections): Promise<ImportPlan> => {
  const text = mappingTextOf(sections);
  return planImport(
    files.map(({ table }) => table),
    text === undefined ? undefined : readMapping("map.yaml", text),
  );
};

/** What the first rows of files would be. */
type Preview = Pick<DryRun, "rows" | "first" | "faults">;

/** The first rows of each file. */
const readPreview = async ({ files, sections }: ImportWork, signal: AbortSignal): Promise<Preview> => {
  const read: DryRun[] = [];
  for (const file of files)
    read.push(await new DryRunReading(limits).read(await planOf([file], sections), undefined, signal));
  return {
    rows: read.reduce((sum, { rows }) => sum + rows, 0),
    first: read.flatMap(({ first }) => first),
    faults: read.flatMap(({ faults }) => faults),
  };
};

/** Changes with whatever an import depends on. */
export const identityOf = ({ files: chosen, sections }: ImportWork): string =>
  JSON.stringify([chosen.map(({ table }) => numberOf(table)), mappingTextOf(sections)]);

/** What the first rows become, a moment after the mapping was changed. */
export const usePreview = (work: ImportWork) => {
  const current = identityOf(work);
  const settled = useDebounced(current, settleMs);
  const isReady =
    work.files.length > 0 && work.files.every(({ profileState }) => profileState.status === "read");
  const query = useQuery({
    queryKey: ["import-preview", settled],
    enabled: isReady && settled === current && work.text === undefined,
    staleTime: Infinity,
    gcTime: 60_000,
    queryFn: ({ signal }) => readPreview(work, signal),
  });
  return { ...query, isReady };
};
