import { BaseSettings, ProjectSettings } from "@ikg/service";

/** Settings of the capture service: those of every service that works on graphs. */
export const CaptureSettings = BaseSettings.extend(ProjectSettings.shape);
