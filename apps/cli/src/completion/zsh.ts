import type { Words } from "./words.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const described = (name: string, description: string): string =>
  quoted(`${name.replaceAll(":", "\\:")}:${description}`);

/** Completion of zsh: `eval "$(ikg completion zsh)"`, after `compinit`. */
export const zshCompletion = (all: readonly Words[]): string => {
  const cases = all.map(({ path, commands, options }) => {
    const words = [
      ...commands.map(({ name, summary }) => described(name, summary)),
      ...options.map(({ flag, description }) => described(flag, description)),
    ];
    return `    ${quoted(path)}) entries=(${words.join(" ")}) ;;`;
  });
  const paths = all.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  const flags = [
    ...new Set(
      all.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue).map(({ flag }) => flag)),
    ),
  ];
  return `#compdef ikg
# Completion of ikg for zsh: eval "$(ikg completion zsh)"
_ikg() {
  local line="" word skip=""
  local -a entries known
  known=(${paths.join(" ")})
  for word in \${words[2,CURRENT-1]}; do
    if [[ -n $skip ]]; then skip=""; continue; fi
    case $word in
      ${flags.join("|")}) skip=1 ;;
      -*) ;;
      *) if (( \${known[(Ie)\${line:+$line }$word]} )); then line="\${line:+$line }$word"; fi ;;
    esac
  done
  if [[ -n $skip ]]; then
    case \${words[CURRENT-1]} in
      -o|--output) compadd table json yaml csv ndjson ;;
      *) _files ;;
    esac
    return
  fi
  case $line in
${cases.join("\n")}
  esac
  _describe -o ikg entries
  [[ -n $line ]] && _files
}
compdef _ikg ikg
`;
};
