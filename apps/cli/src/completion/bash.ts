import type { Words } from "./words.ts";

const valueFlags = (all: readonly Words[]): readonly string[] => [
  ...new Set(
    all.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue).map(({ flag }) => flag)),
  ),
];

/** Completion of bash: `eval "$(ikg completion bash)"`. */
export const bashCompletion = (all: readonly Words[]): string => {
  const cases = all.map(({ path, commands, options }) => {
    const words = [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(" ");
    return `    "${path}") words="${words}" ;;`;
  });
  const paths = all.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  return `# Completion of ikg for bash: eval "$(ikg completion bash)"
_ikg() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local path="" words="" word skip=""
  case "$previous" in
    -o|--output) COMPREPLY=($(compgen -W "table json yaml csv ndjson" -- "$current")); return ;;
    ${valueFlags(all)
      .filter((flag) => flag !== "-o" && flag !== "--output")
      .join("|")}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ -n "$skip" ]; then skip=""; continue; fi
    case "$word" in
      ${valueFlags(all).join("|")}) skip=1 ;;
      -*) ;;
      *) case "\${path:+$path }$word" in
           ${paths.join("|")}) path="\${path:+$path }$word" ;;
         esac ;;
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ -n "$path" ] && [ "\${current#-}" = "$current" ]; then COMPREPLY+=($(compgen -f -- "$current")); fi
}
complete -F _ikg ikg
`;
};
