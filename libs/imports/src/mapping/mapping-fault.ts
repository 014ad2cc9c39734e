/** Something of a mapping that does not fit a file; the path leads to it in the mapping. */
export class MappingFault extends Error {
  override readonly name = "MappingFault";
  readonly path: readonly PropertyKey[];
  /** In the text at the path, from 0. */
  readonly offset: number | undefined;

  constructor(path: readonly PropertyKey[], message: string, offset?: number) {
    super(message);
    this.path = path;
    this.offset = offset;
  }
}

/** Runs what compiles the part of a mapping at a path below the current one. */
export const located = <T>(path: readonly PropertyKey[], compile: () => T): T => {
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
