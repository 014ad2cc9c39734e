import type { NewRoleBinding } from "@ikg/client";
import { useId } from "react";
import { roleTexts } from "./role-texts.ts";

export type Role = NewRoleBinding["role"];

const roles = Object.keys(roleTexts) as readonly Role[]; // of that record

interface RoleFieldProps {
  readonly role: Role;
  readonly onChange: (role: Role) => void;
}

/** Chooses a role, and says what it is for. */
export const RoleField = ({ role, onChange }: RoleFieldProps) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Role</label>
      <select
        id={id}
        value={role}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(roles.find((each) => each === event.target.value) ?? role)}
      >
        {roles.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <p className="hint" id={`${id}-hint`}>
        For {roleTexts[role]}.
      </p>
    </div>
  );
};

interface EverywhereFieldProps {
  readonly isEverywhere: boolean;
  readonly onChange: (isEverywhere: boolean) => void;
}

/** Whether a role is over the organization instead of one project. */
export const EverywhereField = ({ isEverywhere, onChange }: EverywhereFieldProps) => (
  <label className="check">
    <input type="checkbox" checked={isEverywhere} onChange={(event) => onChange(event.target.checked)} />
    <span>
      In every project of the organization
      <small>Including projects that are created later.</small>
    </span>
  </label>
);
