/** A project that shares something with others, and its organization, whose projects share their part with one another. */
export interface Tenant {
  readonly id: string;
  readonly organizationId: string;
}
