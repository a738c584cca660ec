// The sizes and choices of a problem that all variants are compiled for.
#pragma once

#ifndef EXPERTS
#define EXPERTS 384
#endif
#ifndef HIDDEN
#define HIDDEN 7168
#endif
#ifndef TOP_K
#define TOP_K 6
#endif
#ifndef SCORING
#define SCORING sqrt_softplus
#endif
#ifndef GROUPS
#define GROUPS 1
#endif
#ifndef KEPT_GROUPS
#define KEPT_GROUPS 1
#endif
#ifndef NORMALISE
#define NORMALISE 1
#endif

constexpr int kExperts = EXPERTS, kHidden = HIDDEN, kTopK = TOP_K;
