import { type IkgAdmin, IkgError } from "@ikg/client";

export type ServiceState = "up" | "down" | "unknown";

interface Check {
  /** The service that answers. */
  readonly service: string;
  /** The operation that is called: a role that may not call it does not see the service. */
  readonly operation: string;
  /** A call that changes nothing and leaves no audit record; also a refusal of it is an answer of the service. */
  readonly call: (
    admin: IkgAdmin,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ) => Promise<unknown>;
}

const checks: readonly Check[] = [
  {
    service: "configs",
    operation: "current_organization",
    call: (admin, options) => admin.organization(options),
  },
  {
    service: "access",
    operation: "simulate",
    // Refused before anything is simulated: there is no change.
    call: (admin, options) => admin.simulations.simulate({ changes: [] }, options),
  },
  {
    service: "ciq",
    operation: "list_nodes",
    // Refused before anything is looked at.
    call: (admin, options) =>
      admin.graph
        .nodes({ ...options, pageSize: -1 })
        .pages()
        .next(),
  },
  {
    service: "capture",
    operation: "read_data_schema",
    call: (admin, options) => admin.graph.schema(options),
  },
  {
    service: "audit",
    operation: "list_audit_checkpoints",
    call: (admin, options) =>
      admin.audit
        .checkpoints({ ...options, pageSize: 1 })
        .pages()
        .next(),
  },
];

const timeoutMs = 5_000;

const stateOf = async (call: () => Promise<unknown>, signal: AbortSignal): Promise<ServiceState> => {
  try {
    await call();
    return "up";
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof IkgError)) return "down";
    if (error.status >= 500) return "down";
    // The gateway answers these for the services behind it.
    return [401, 403, 429].includes(error.status) ? "unknown" : "up";
  }
};

/** What services show through the gateway, which is the only public one. @param may whether a role opens an operation */
export const readServices = async (
  admin: IkgAdmin,
  may: (operation: string) => boolean,
  signal: AbortSignal,
): Promise<readonly { readonly service: string; readonly state: ServiceState }[]> =>
  Promise.all(
    checks.map(async ({ service, operation, call }) => ({
      service,
      state: may(operation) ? await stateOf(() => call(admin, { signal, timeoutMs }), signal) : "unknown",
    })),
  );
