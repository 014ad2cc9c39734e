import { bashCompletion } from "../completion/bash.ts";
import { fishCompletion } from "../completion/fish.ts";
import { wordsOf } from "../completion/words.ts";
import { zshCompletion } from "../completion/zsh.ts";
import type { CommandModule } from "../program/command-module.ts";
import { CommandFault } from "../command-environment.ts";

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

const isShell = (name: string): name is keyof typeof shells => Object.hasOwn(shells, name);

/** `ikg completion`. */
export const command: CommandModule<[shell: string]> = {
  examples: [
    { purpose: "bash, in ~/.bashrc", command: 'eval "$(ikg completion bash)"' },
    { purpose: "zsh, in ~/.zshrc after compinit", command: "ikg completion zsh > _ikg" },
    { purpose: "fish, in ~/.config/fish/config.fish", command: "ikg completion fish > ikg.fish" },
  ],
  configure: (command) => void command.argument("<shell>", "bash, zsh or fish"),
  run: async ({ args: [shell], environment, loadProgram }) => {
    if (!isShell(shell)) throw new CommandFault(`unknown shell ${shell}; expected bash, zsh or fish`);
    environment.out(shells[shell](wordsOf(await loadProgram())));
  },
};
