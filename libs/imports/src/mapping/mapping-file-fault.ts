import { type Diagnostic, formatDiagnostic } from "@ikg/sources";
import { InputFault } from "../input-fault.ts";

/** The faults of a mapping file, with their positions. */
export class MappingFileFault extends InputFault {
  readonly faults: readonly Diagnostic[];

  constructor(faults: readonly Diagnostic[]) {
    super(faults.map(formatDiagnostic).join("\n"));
    this.faults = faults;
  }
}
