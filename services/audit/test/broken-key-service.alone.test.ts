import { testBrokenKeyService } from "./broken-key-service.ts";

testBrokenKeyService({ ms: 1_000, records: 4_000, totalBytes: 1_000_000 });
