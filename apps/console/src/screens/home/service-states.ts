import type { SuiteStatus } from "@ikg/client";

type Service = SuiteStatus["services"][number];

/** How a service is, for a person. */
export interface ServiceState {
  readonly service: string;
  readonly tone: "good" | "warn" | "bad";
  /** As "ready" or "1 of 2 ready". */
  readonly text: string;
  /** Of its processes that run, each once. */
  readonly versions: readonly string[];
}

const inOrder = new Intl.Collator("en", { numeric: true }).compare;

/** Each version once, the lowest first. Processes that are unreachable do not count: what runs in their place is not known. */
const versionsOf = (services: readonly Service[]): readonly string[] => {
  const running = services.flatMap(({ replicas }) =>
    replicas.filter(({ status }) => status !== "unreachable"),
  );
  return [...new Set(running.map(({ version }) => version))].toSorted(inOrder);
};

const alone = {
  ready: ["good", "ready"],
  unavailable: ["bad", "not ready"],
  unreachable: ["bad", "unreachable"],
} as const;

const stateOf = ({ replicas }: Service): readonly [tone: ServiceState["tone"], text: string] => {
  if (replicas.length === 0) return ["bad", "not running"];
  // Those that end are replaced, or were to be fewer.
  const kept = replicas.flatMap(({ status }) => (status === "stopping" ? [] : [status]));
  const [first] = kept;
  if (first === undefined) return ["warn", "stopping"];
  if (kept.length === 1) return alone[first];
  const ready = kept.filter((status) => status === "ready").length;
  if (ready === kept.length) return ["good", `ready, ${ready} replicas`];
  return [ready === 0 ? "bad" : "warn", `${ready} of ${kept.length} ready`];
};

/** Every service with how it is, in the order of the response, and the versions of all of them. */
export const serviceStates = ({ services }: SuiteStatus) => ({
  services: services.map((each): ServiceState => {
    const [tone, text] = stateOf(each);
    return { service: each.service, tone, text, versions: versionsOf([each]) };
  }),
  versions: versionsOf(services),
});
