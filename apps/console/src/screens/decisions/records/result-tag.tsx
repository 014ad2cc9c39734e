import { Icon, type IconName } from "../../../components/icon.tsx";
import type { Result } from "./record-row.ts";

const looks = {
  allowed: { text: "Allowed", tone: "good", icon: "check" },
  denied: { text: "Denied", tone: "bad", icon: "cross" },
  failed: { text: "Failed", tone: "warn", icon: "warning" },
  done: { text: "Done", tone: "", icon: undefined },
} as const satisfies Readonly<Record<Result, { text: string; tone: string; icon: IconName | undefined }>>;

export const ResultTag = ({ result }: { readonly result: Result }) => {
  const { text, tone, icon } = looks[result];
  return (
    <span className={`tag ${tone}`}>
      {icon !== undefined && <Icon name={icon} />}
      {text}
    </span>
  );
};
