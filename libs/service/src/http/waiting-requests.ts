import type { Tenant } from "@ikg/concurrency";
import { Holdings, organizationShare } from "../limits/holdings.ts";

/** Requests that wait at the same time. */
const maxWaiting = 1_000;

/** Requests that wait for something that tenants share, in the order in which they came; an organization has a part of the places. */
export class WaitingRequests<T extends { readonly tenant: Tenant }> {
  readonly #requests = new Set<T>();
  readonly #ofOrganizations = new Holdings(maxWaiting * organizationShare);

  get size(): number {
    return this.#requests.size;
  }

  hasCapacity({ organizationId }: Tenant): boolean {
    return this.#requests.size < maxWaiting && this.#ofOrganizations.hasCapacity(organizationId, 1);
  }

  add(request: T): void {
    this.#requests.add(request);
    this.#ofOrganizations.add(request.tenant.organizationId, 1);
  }

  /** Takes out a request that waits. */
  delete(request: T): void {
    this.#requests.delete(request);
    this.#ofOrganizations.add(request.tenant.organizationId, -1);
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.#requests.values();
  }
}
