/** Roles of administrators, over an organization or one of its projects: what role bindings give. */
export const roles = ["owner", "editor", "policy_author", "viewer", "data_viewer", "auditor"] as const;

export type Role = (typeof roles)[number];

/**
 * Columns of the table of role and operation. `all_viewer` is what a service account of that name is over its organization:
 * a viewer who also simulates, replays and reads the audit trail, as such accounts could before there were roles. No role
 * binding gives it.
 */
export const tableRoles = [...roles, "all_viewer"] as const;

export type TableRole = (typeof tableRoles)[number];

type Roles = readonly TableRole[];

/**
 * Who may do what: each operation of administrators names one of these sets in `operations.ts`, which together is the
 * table of role and operation (docs/roles.md).
 */
export const rolesThat = {
  /** The organization and its projects, so that every administrator finds where their role counts. */
  readProjects: tableRoles,
  readRecords: ["owner", "editor", "policy_author", "viewer", "all_viewer"],
  changeRecords: ["owner", "editor"],
  changePolicies: ["owner", "editor", "policy_author"],
  /** Roles, who can be given one, and what removes those of all. */
  giveRoles: ["owner"],
  /** By a query of its own a simulation can read any data of the project; by its counts so can a preview with a sample. */
  simulate: ["owner", "editor", "policy_author", "all_viewer"],
  readAudit: ["owner", "auditor", "all_viewer"],
  readGraph: ["owner", "data_viewer"],
  /** Names and counts, no values: roles that read data, or could by simulations, know them too. */
  readDataSchema: ["owner", "editor", "policy_author", "data_viewer", "all_viewer"],
} as const satisfies Readonly<Record<string, Roles>>;
