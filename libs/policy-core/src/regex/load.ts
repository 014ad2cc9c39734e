import { createRequire } from "node:module";
import type { RE2JS as Matcher } from "re2js";

const require = createRequire(import.meta.url);

let loaded: typeof Matcher | undefined;

/** The linear-time matcher; loaded when the first pattern is used, because most policies have none. */
export const re2 = (): typeof Matcher => {
  // The package declares these types; `require` does not know them.
  loaded ??= (require("re2js") as { readonly RE2JS: typeof Matcher }).RE2JS;
  return loaded;
};
