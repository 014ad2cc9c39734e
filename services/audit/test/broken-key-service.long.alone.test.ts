import { testBrokenKeyService } from "./broken-key-service.ts";

testBrokenKeyService({ ms: 120_000, records: 20_000, totalBytes: 2_000_000 });
