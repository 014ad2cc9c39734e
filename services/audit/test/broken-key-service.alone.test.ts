import { testBrokenKeyService } from "./broken-key-service.ts";

testBrokenKeyService({ ms: 1_000, records: 3_500, totalBytes: 1_000_000 });
