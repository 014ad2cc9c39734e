import { BaseSettings, integer, ProjectSettings } from "@ikg/service";

/** Settings of the capture service: those of every service that works on graphs, and its own. */
export const CaptureSettings = BaseSettings.extend({
  ...ProjectSettings.shape,
  IMPORT_CONCURRENCY: integer(
    0,
    16,
    1,
    "Imports that this process writes at once; 0: it takes their lines and leaves the writing to others.",
  ),
  IMPORT_TAKEOVER_SECONDS: integer(
    1,
    600,
    15,
    "After so long without a sign of life of the process that writes an import another one goes on.",
  ),
});
