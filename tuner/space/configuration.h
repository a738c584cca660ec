// Kept for readers of space/: the type lives in spec/, where layers that know no space may use it
// too.
#pragma once

#include "spec/configuration.h"
