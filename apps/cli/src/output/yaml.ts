/**
 * The YAML functions of commands, loaded on demand. The library is a CommonJS module: when bundled, `import()` of it has no named
 * exports.
 */
export { Document, isScalar, parse, parseDocument, stringify, visit } from "yaml";
