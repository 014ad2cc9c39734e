/**
 * What commands need of YAML, loaded when they do. The library is of the older module system: bundled, it has no names of its own
 * for `import()`.
 */
export { Document, isScalar, parse, stringify, visit } from "yaml";
