import { testBrokenKeyService } from "./broken-key-service.ts";

testBrokenKeyService({ ms: 1_000, records: 1_500, totalBytes: 300_000 });
