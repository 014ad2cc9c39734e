/** A project with its organization: what all tenants share is divided among organizations, and among the projects of each. */
export interface Tenant {
  readonly id: string;
  readonly organizationId: string;
}
