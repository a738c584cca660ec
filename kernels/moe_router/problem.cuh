// The sizes and choices of a problem that all variants are compiled for.
#include "defaults.cuh"
#pragma once

constexpr int kExperts = EXPERTS, kHidden = HIDDEN, kTopK = TOP_K;
