import { config } from "zod";

/** Schemas are checked without generated code, which the page's policy for scripts refuses. Set before any schema is made. */
config({ jitless: true });
