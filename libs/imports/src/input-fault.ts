/** A file or a mapping that cannot be used; the message is shown to the user. */
export class InputFault extends Error {
  override readonly name = "InputFault";
}

/** A table that has no mapping. */
export class MappingRequired extends InputFault {}
