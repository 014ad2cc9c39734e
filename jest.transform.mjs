/** Jest's transformer: strips the types as Node itself does, so that tests run what production runs. */
import { stripTypeScriptTypes } from "node:module";

export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
};
