import { config } from "zod";

/** Disables code generation of schemas, which the content security policy blocks. It must run before a schema is created. */
config({ jitless: true });
