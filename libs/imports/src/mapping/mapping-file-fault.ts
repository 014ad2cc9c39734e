import { type Fault, formatFault } from "@ikg/sources";
import { InputFault } from "../input-fault.ts";

/** What is wrong with a mapping file, each at its place. */
export class MappingFileFault extends InputFault {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(formatFault).join("\n"));
    this.faults = faults;
  }
}
