#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

// A macro of sizes, which Swift cannot read: the workspace that level 1 needs.
static const uint32_t isal_level1_workspace_size = ISAL_DEF_LVL1_DEFAULT;
