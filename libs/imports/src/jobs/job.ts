import type { Ikg } from "@ikg/client";

/** An import job of the suite, as returned by the client. */
export type Job = Awaited<ReturnType<Ikg["capture"]["import"]>>;

export type JobState = Awaited<ReturnType<Job["state"]>>;
