import {
  BaseSettings,
  CalledSettings,
  integer,
  ProjectLimitSettings,
  ProjectSettings,
  SealingSettings,
} from "@ikg/service";

/** Settings of the capture service: those of every service that works on graphs, and its own. */
export const CaptureSettings = BaseSettings.extend({
  ...CalledSettings.shape,
  ...SealingSettings.shape,
  ...ProjectSettings.shape,
  ...ProjectLimitSettings.shape,
  IMPORT_CONCURRENCY: integer(
    0,
    16,
    1,
    "Projects whose imports this process writes at once; 0: it takes lines and leaves the writing to others.",
  ),
  IMPORT_UPLOADS: integer(
    1,
    1_000,
    16,
    "Uploads of imports that this process takes at once, a quarter of them of one project; each holds about 16 MB.",
  ),
  IMPORT_UPLOAD_SECONDS: integer(1, 86_400, 3_600, "Longest duration of the upload of an import."),
  IMPORT_COMPRESSION_RATIO: integer(
    2,
    1_100,
    100,
    "Decompressed bytes of an import for each byte sent, at most; counts from 16 MiB on.",
  ),
  EXPORTS: integer(
    1,
    1_000,
    8,
    "Exports of graphs that this process sends at once, a quarter of them of one project; each holds a few MB.",
  ),
  IMPORT_TAKEOVER_SECONDS: integer(
    1,
    600,
    15,
    "Seconds without a heartbeat from the process that writes an import after which another one takes over.",
  ),
});
