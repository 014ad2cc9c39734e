import { BaseSettings } from "@ikg/service";

/** Settings of the capture service: nothing beyond what every service has. */
export const CaptureSettings = BaseSettings;
