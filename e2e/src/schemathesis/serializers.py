"""Loaded by schemathesis: how a body is sent whose type it does not know."""

import schemathesis

schemathesis.serializer.alias("application/x-ndjson", "text/plain")
