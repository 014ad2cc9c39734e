import { type Permission, permissionHint } from "./permissions.ts";

interface PermissionListProps {
  readonly permissions: readonly Permission[];
  /** With what each opens. */
  readonly withHints?: boolean;
}

export const PermissionList = ({ permissions, withHints = false }: PermissionListProps) =>
  withHints ? (
    <ul className="permissions">
      {permissions.map((each) => (
        <li key={each}>
          <span className="tag">{each}</span> <span className="hint">{permissionHint(each)}</span>
        </li>
      ))}
    </ul>
  ) : (
    <span className="row tags">
      {permissions.map((each) => (
        <span className="tag" key={each} title={permissionHint(each)}>
          {each}
        </span>
      ))}
    </span>
  );
