/**
 * Makes `@jest/globals` mean `jest-globals.ts`, and gives every test file modules of its own where tests share set-up: these
 * have hooks and state. What they test is loaded once.
 */
import { registerHooks } from "node:module";

const globals = new URL("jest-globals.ts", import.meta.url).href;

/** @param {string} url */
const isSetUp = (url) => /\/(test|e2e\/src)\/[^?]*\.ts$/.test(url) && !url.includes("/node_modules/");

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === "@jest/globals") return { url: globals, shortCircuit: true };
    const resolved = next(specifier, context);
    const query = context.parentURL === undefined ? "" : new URL(context.parentURL).search;
    return query !== "" && isSetUp(resolved.url) ? { ...resolved, url: `${resolved.url}${query}` } : resolved;
  },
});
