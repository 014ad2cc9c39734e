import { type Fault, formatFault } from "../policy-tests/file/fault.ts";
import { CommandFault } from "../surroundings.ts";

/** What is wrong with a mapping file, each at its place. */
export class MappingFileFault extends CommandFault {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(formatFault).join("\n"));
    this.faults = faults;
  }
}
