import type { SuiteStatus } from "@ikg/contracts";
import { type Route, route } from "@ikg/service";

export type ReadStatus = () => Promise<SuiteStatus>;

/** GET /configs/v1/status: every service with its processes, whether they are ready, and in which version. */
export const suiteStatus = (read: ReadStatus): Route =>
  route({
    operation: "read_suite_status",
    method: "get",
    path: "/configs/v1/status",
    caller: "administrator",
    handle: () => read(),
  });
