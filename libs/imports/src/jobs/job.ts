import type { Ikg } from "@ikg/client";

/** An import job of the suite, as the client has it. */
export type Job = Awaited<ReturnType<Ikg["capture"]["import"]>>;

export type JobState = Awaited<ReturnType<Job["state"]>>;
