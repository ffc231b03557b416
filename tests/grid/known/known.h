// Gives the kernels with known answers what ../grid.h does not have: they are compiled for the device alone.
#pragma once
#include "../grid.h"

DEVICE u32 index_x() { return block_x() * block_size_x() + thread_x(); }
DEVICE u32 index_y() { return block_y() * block_size_y() + thread_y(); }
DEVICE u32 rotate_left(u32 x, u32 by) { return x << (by & 31) | x >> (-by & 31); }
DEVICE u32 rotate_right(u32 x, u32 by) { return x >> (by & 31) | x << (-by & 31); }
