import { setFlagsFromString } from "node:v8";

/**
 * Keeps the young generation at its initial size. V8 lets it grow to about 100 MB under a steady load, although rows and lines
 * live for milliseconds; the more frequent collections take a fifth more processor time (docs/decisions/0024-imports-from-files.md).
 */
export const limitMemory = (): void => setFlagsFromString("--semi-space-growth-factor=1");
