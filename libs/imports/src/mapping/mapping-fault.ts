/** An error in a mapping, or a part that does not match the file; `path` is its path in the mapping. */
export class MappingFault extends Error {
  override readonly name = "MappingFault";
  readonly path: readonly PropertyKey[];
  /** Offset in the text at the path; counts from 0. */
  readonly offset: number | undefined;

  constructor(path: readonly PropertyKey[], message: string, offset?: number) {
    super(message);
    this.path = path;
    this.offset = offset;
  }
}

/** Compiles the part of a mapping at a relative path; faults get that path as a prefix. */
export const withPath = <T>(path: readonly PropertyKey[], compile: () => T): T => {
  try {
    return compile();
  } catch (error) {
    if (error instanceof MappingFault)
      throw new MappingFault([...path, ...error.path], error.message, error.offset);
    if (error instanceof Error && ["TemplateError", "UnknownColumn"].includes(error.name))
      throw new MappingFault(path, error.message, "offset" in error ? Number(error.offset) : undefined);
    throw error;
  }
};
