/** Headers in the form of Node's `rawHeaders`: name, value, name, value. A header with several values is listed as often. */
export type HeaderList = string[];
