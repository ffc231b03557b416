// The headers of PyTorch's own kernels, to be compiled once.
#pragma once
#include "aten_common.h"
#include <ATen/native/cuda/Loops.cuh>
#include <ATen/native/cuda/KernelUtils.cuh>
#include <ATen/native/cuda/block_reduce.cuh>
#include <ATen/cuda/Atomic.cuh>
#include <ATen/cuda/detail/TensorInfo.cuh>
#include <ATen/cuda/detail/KernelUtils.h>
#include <ATen/cuda/DeviceUtils.cuh>
#include <ATen/cuda/PhiloxUtils.cuh>
#include <ATen/native/TensorIterator.h>
