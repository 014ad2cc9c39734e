import { migration as counts } from "./0001-counts.ts";
import type { Migration } from "./migration.ts";

/** Every migration of this build, in the order of versions. */
export const migrations: readonly Migration[] = [counts];
