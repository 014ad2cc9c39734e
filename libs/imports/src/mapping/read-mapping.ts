import { Faults, type Place, readSource, type Source, validate } from "@ikg/sources";
import { type Converter, compileMapping, type FileColumns, MappingFaults } from "./converter.ts";
import type { MappingFault } from "./mapping-fault.ts";
import { MappingFileFault } from "./mapping-file-fault.ts";
import { type FileMapping, ImportMapping } from "./schema.ts";

/** What a mapping says of one file. */
export interface Section {
  /** How the mapping names its files. */
  readonly pattern: string;
  readonly mapping: FileMapping;
  /** @throws MappingFileFault with the places of what does not fit the file. */
  compile(file: FileColumns): Converter;
}

/** A mapping file that was read. */
export interface Mapping {
  readonly text: string;
  readonly value: ImportMapping;
  /** The first section whose pattern fits the name of a file. */
  sectionOf(name: string): Section | undefined;
  readonly patterns: readonly string[];
}

const escaped = (text: string): string => text.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);

/** Whether a name is one of a pattern: `*` stands for any characters, `?` for one. */
export const fits = (pattern: string, name: string): boolean =>
  new RegExp(`^${escaped(pattern).replaceAll("*", ".*").replaceAll("?", ".")}$`, "i").test(name);

const placeOf = (source: Source, path: readonly PropertyKey[], { offset }: MappingFault): Place =>
  offset === undefined ? source.placeOf(path) : source.placeInText(path, 1, offset + 1);

const sectionOf = (source: Source, pattern: string, mapping: FileMapping): Section => ({
  pattern,
  mapping,
  compile: (file) => {
    try {
      return compileMapping(mapping, file);
    } catch (error) {
      if (!(error instanceof MappingFaults)) throw error;
      const faults = new Faults();
      for (const each of error.all)
        faults.add(placeOf(source, ["files", pattern, ...each.path], each), each.message);
      throw new MappingFileFault(faults.list);
    }
  },
});

/** @param file how messages call it. @throws MappingFileFault for a text that is no mapping. */
export const readMapping = (file: string, text: string): Mapping => {
  const faults = new Faults();
  const source = readSource(file, text, faults);
  const value = source && validate(ImportMapping, source, source.value, faults);
  if (source === undefined || value === undefined) throw new MappingFileFault(faults.list);
  const sections = Object.entries(value.files).map(([pattern, mapping]) =>
    sectionOf(source, pattern, mapping),
  );
  return {
    text,
    value,
    sectionOf: (name) => sections.find(({ pattern }) => fits(pattern, name)),
    patterns: sections.map(({ pattern }) => pattern),
  };
};
