import { DiagnosticList, type Place, readSource, type Source, validate } from "@ikg/sources";
import { type Converter, compileMapping, type FileColumns, MappingFaults } from "./converter.ts";
import type { MappingFault } from "./mapping-fault.ts";
import { MappingFileFault } from "./mapping-file-fault.ts";
import { type FileMapping, ImportMapping } from "./schema.ts";

/** The section of a mapping for one file, or for several files with similar names. */
export interface Section {
  /** Pattern of file names. */
  readonly pattern: string;
  readonly mapping: FileMapping;
  /** @throws MappingFileFault if the section does not match the file. */
  compile(file: FileColumns): Converter;
}

/** A parsed mapping file. */
export interface Mapping {
  readonly text: string;
  readonly value: ImportMapping;
  /** The first section whose pattern matches the name of a file. */
  sectionOf(name: string): Section | undefined;
  readonly patterns: readonly string[];
}

const escapeRegExp = (text: string): string => text.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);

const patternExpression = (pattern: string): RegExp =>
  new RegExp(`^${escapeRegExp(pattern).replaceAll("*", ".*").replaceAll("?", ".")}$`, "i");

/** Whether a name matches a pattern: `*` stands for any characters, `?` for one; case is ignored. */
export const matchesPattern = (pattern: string, name: string): boolean =>
  patternExpression(pattern).test(name);

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
      const faults = new DiagnosticList();
      for (const each of error.all)
        faults.add(placeOf(source, ["files", pattern, ...each.path], each), each.message);
      throw new MappingFileFault(faults.list);
    }
  },
});

/**
 * Reads a mapping: which columns of which files become which nodes and relationships.
 *
 * @param file the name for messages.
 * @param text YAML or JSON.
 * @throws MappingFileFault for an invalid mapping, with each fault at its place.
 */
export const readMapping = (file: string, text: string): Mapping => {
  const faults = new DiagnosticList();
  const source = readSource(file, text, faults);
  const value = source && validate(ImportMapping, source, source.value, faults);
  if (source === undefined || value === undefined) throw new MappingFileFault(faults.list);
  const sections = Object.entries(value.files).map(([pattern, mapping]) => ({
    names: patternExpression(pattern),
    section: sectionOf(source, pattern, mapping),
  }));
  return {
    text,
    value,
    sectionOf: (name) => sections.find(({ names }) => names.test(name))?.section,
    patterns: sections.map(({ section }) => section.pattern),
  };
};
