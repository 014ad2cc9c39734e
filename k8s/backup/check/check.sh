# In both Jobs.
set -eu
cd "/backup/$BACKUP"
sha256sum --check checksums
