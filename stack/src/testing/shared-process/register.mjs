/** Makes `@jest/globals` mean `jest-globals.ts`. */
import { registerHooks } from "node:module";

const globals = new URL("jest-globals.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@jest/globals" ? { url: globals, shortCircuit: true } : next(specifier, context),
});
