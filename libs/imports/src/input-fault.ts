/** What was given cannot be used, a file or its mapping; the message is for the person who gave it. */
export class InputFault extends Error {
  override readonly name = "InputFault";
}

/** A table is read without a mapping of its rows. */
export class MappingRequired extends InputFault {}
