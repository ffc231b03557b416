// What the sources beside this have in common: operands that no code defines, as none of it runs, and types and functions of users.
#pragma once

extern int n;
template <class T> extern T *of; // elements in memory

struct Point {
    float x, y, z, w;
};
__host__ __device__ inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }

struct Span {
    int begin, end, weight;
};
__host__ __device__ inline bool operator==(Span a, Span b) { return a.begin == b.begin && a.end == b.end; }

struct ByWeight {
    __host__ __device__ bool operator()(Span a, Span b) const { return a.weight < b.weight; }
};
struct Less {
    template <class T> __host__ __device__ bool operator()(T a, T b) const { return a < b; }
};
struct Maximum {
    template <class T> __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
struct Square {
    template <class T> __host__ __device__ T operator()(T a) const { return a * a; }
};
struct Above {
    float limit;
    template <class T> __host__ __device__ bool operator()(T a) const { return a > limit; }
    __host__ __device__ bool operator()(Point a) const { return a.x * a.y > limit; }
};
