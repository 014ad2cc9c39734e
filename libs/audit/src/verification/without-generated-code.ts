import { z } from "zod";

// Schemas decide when they are made whether they are compiled, so this stands before them.
z.config({ jitless: true });
