#pragma once

// Compiled for processors with AVX2 and FMA only, see pack.hpp.
#include "core/pack.hpp"

#include <cstdint>
#include <immintrin.h>

namespace ermine {

/// Of each choice among eight numbers: which ones, in their order.
struct CompressOrders {
  std::uint8_t order[256][8];

  constexpr CompressOrders() : order{} {
    for (unsigned chosen = 0; chosen < 256; ++chosen) {
      int count = 0;
      for (unsigned i = 0; i < 8; ++i) {
        if (chosen >> i & 1) order[chosen][count++] = static_cast<std::uint8_t>(i);
      }
    }
  }
};
inline constexpr CompressOrders compress_orders;

/// Eight numbers side by side, with AVX2 and FMA.
struct Avx2Pack {
  static constexpr int width = 8;

  struct Mask {
    __m256 v;
    ERMINE_PACK friend Mask operator&(Mask a, Mask b) { return {_mm256_and_ps(a.v, b.v)}; }
    ERMINE_PACK friend Mask operator|(Mask a, Mask b) { return {_mm256_or_ps(a.v, b.v)}; }
    /// One bit for each number.
    ERMINE_PACK unsigned bits() const { return static_cast<unsigned>(_mm256_movemask_ps(v)); }
  };

  struct Float {
    __m256 v;
    ERMINE_PACK Float() = default;
    ERMINE_PACK Float(__m256 value) : v(value) {}
    ERMINE_PACK Float(float value) : v(_mm256_set1_ps(value)) {}
    ERMINE_PACK static Float load(const float* at) { return _mm256_loadu_ps(at); }
    ERMINE_PACK void store(float* at) const { _mm256_storeu_ps(at, v); }
    ERMINE_PACK Float with_sign_of(Float a) const {
      return _mm256_or_ps(v, _mm256_and_ps(a.v, _mm256_set1_ps(-0.0f)));
    }
    ERMINE_PACK friend Float operator+(Float a, Float b) { return _mm256_add_ps(a.v, b.v); }
    ERMINE_PACK friend Float operator-(Float a, Float b) { return _mm256_sub_ps(a.v, b.v); }
    ERMINE_PACK friend Float operator*(Float a, Float b) { return _mm256_mul_ps(a.v, b.v); }
    ERMINE_PACK friend Float operator/(Float a, Float b) { return _mm256_div_ps(a.v, b.v); }
    ERMINE_PACK friend Mask operator<=(Float a, Float b) {
      return {_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ)};
    }
    ERMINE_PACK friend Mask operator>(Float a, Float b) {
      return {_mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ)};
    }
  };

  struct Int {
    __m256i v;
    ERMINE_PACK Int() = default;
    ERMINE_PACK Int(__m256i value) : v(value) {}
    ERMINE_PACK Int(int value) : v(_mm256_set1_epi32(value)) {}
    ERMINE_PACK Int(std::uint32_t value) : Int(static_cast<int>(value)) {}
    template <class Word>
    ERMINE_PACK static Int load(const Word* at) {
      static_assert(sizeof(Word) == 4);
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    }
    ERMINE_PACK void store(int* at) const {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(at), v);
    }
    ERMINE_PACK friend Int operator+(Int a, Int b) { return _mm256_add_epi32(a.v, b.v); }
    ERMINE_PACK friend Int operator-(Int a, Int b) { return _mm256_sub_epi32(a.v, b.v); }
    ERMINE_PACK friend Int operator*(Int a, Int b) { return _mm256_mullo_epi32(a.v, b.v); }
    ERMINE_PACK friend Int operator&(Int a, Int b) { return _mm256_and_si256(a.v, b.v); }
    ERMINE_PACK friend Int operator^(Int a, Int b) { return _mm256_xor_si256(a.v, b.v); }
    ERMINE_PACK friend Mask operator>(Int a, Int b) {
      return {_mm256_castsi256_ps(_mm256_cmpgt_epi32(a.v, b.v))};
    }
    ERMINE_PACK friend Mask operator==(Int a, Int b) {
      return {_mm256_castsi256_ps(_mm256_cmpeq_epi32(a.v, b.v))};
    }
    template <int count>
    ERMINE_PACK Int left() const {
      return _mm256_slli_epi32(v, count);
    }
    template <int count>
    ERMINE_PACK Int right() const {  ///< zeros come in
      return _mm256_srli_epi32(v, count);
    }
    ERMINE_PACK Int sign() const { return _mm256_srai_epi32(v, 31); }  ///< 0 or -1
  };

  ERMINE_PACK static Int counting() { return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7); }
  ERMINE_PACK static Float min(Float a, Float b) { return _mm256_min_ps(a.v, b.v); }
  ERMINE_PACK static Float fma(Float a, Float b, Float c) { return _mm256_fmadd_ps(a.v, b.v, c.v); }
  ERMINE_PACK static Float absolute(Float a) {
    return _mm256_and_ps(a.v, _mm256_castsi256_ps(_mm256_set1_epi32(0x7FFFFFFF)));
  }
  ERMINE_PACK static Float sqrt(Float a) { return _mm256_sqrt_ps(a.v); }
  ERMINE_PACK static Float floor(Float a) { return _mm256_floor_ps(a.v); }
  ERMINE_PACK static Float round(Float a) {
    return _mm256_round_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  /// 1 / a, good to a thousandth.
  ERMINE_PACK static Float rough_inverse(Float a) { return _mm256_rcp_ps(a.v); }
  ERMINE_PACK static Int bits_of(Float a) { return _mm256_castps_si256(a.v); }
  ERMINE_PACK static Float from_bits(Int a) { return _mm256_castsi256_ps(a.v); }
  ERMINE_PACK static Float to_float(Int a) { return _mm256_cvtepi32_ps(a.v); }
  ERMINE_PACK static Int truncate(Float a) { return _mm256_cvttps_epi32(a.v); }
  ERMINE_PACK static Int nearest(Float a) { return _mm256_cvtps_epi32(a.v); }

  /// By its sign bit, and for select() only, which looks at no other.
  ERMINE_PACK static Mask negative(Float a) { return {a.v}; }
  ERMINE_PACK static Mask none() { return {_mm256_setzero_ps()}; }
  ERMINE_PACK static Mask below(Int a, std::uint32_t limit) {  ///< of unsigned numbers
    const __m256i flip = _mm256_set1_epi32(static_cast<int>(0x80000000u));
    return {_mm256_castsi256_ps(_mm256_cmpgt_epi32(
        _mm256_set1_epi32(static_cast<int>(limit ^ 0x80000000u)), _mm256_xor_si256(a.v, flip)))};
  }
  /// Negative, or `limit` and more.
  ERMINE_PACK static Mask not_below(Int a, int limit) {
    const __m256i larger = _mm256_max_epu32(a.v, _mm256_set1_epi32(limit));
    return {_mm256_castsi256_ps(_mm256_cmpeq_epi32(larger, a.v))};
  }
  ERMINE_PACK static Int unsigned_min(Int a, Int b) { return _mm256_min_epu32(a.v, b.v); }
  ERMINE_PACK static Mask but_not(Mask a, Mask b) { return {_mm256_andnot_ps(b.v, a.v)}; }
  ERMINE_PACK static Float where(Mask m, Float a) { return _mm256_and_ps(m.v, a.v); }
  ERMINE_PACK static Int where(Mask m, Int a) {
    return _mm256_and_si256(_mm256_castps_si256(m.v), a.v);
  }
  ERMINE_PACK static Float select(Mask m, Float a, Float b) {
    return _mm256_blendv_ps(b.v, a.v, m.v);
  }
  ERMINE_PACK static Int select(Mask m, Int a, Int b) {
    return _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_castsi256_ps(b.v), _mm256_castsi256_ps(a.v), m.v));
  }
  /// a + b where m holds, a elsewhere.
  ERMINE_PACK static Float add_where(Mask m, Float a, Float b) {
    return _mm256_add_ps(a.v, _mm256_and_ps(m.v, b.v));
  }
  ERMINE_PACK static Float add_unless(Mask m, Float a, Float b) {
    return _mm256_add_ps(a.v, _mm256_andnot_ps(m.v, b.v));
  }
  /// Adds 1 where m holds.
  ERMINE_PACK static Int count(Int sum, Mask m) {
    return _mm256_sub_epi32(sum.v, _mm256_castps_si256(m.v));
  }

  /// 64-bit entries number `at`: the lower and the upper half of each. One load after the other:
  /// the instructions for it are slower.
  template <class Entry>
  ERMINE_PACK static void halves(const Entry* entry, const int* at, Float& lower, Float& upper) {
    static_assert(sizeof(Entry) == 8);
    const __m256 a = join(two(entry, at[0], at[1]), two(entry, at[4], at[5]));
    const __m256 b = join(two(entry, at[2], at[3]), two(entry, at[6], at[7]));
    lower = _mm256_shuffle_ps(a, b, 0x88);
    upper = _mm256_shuffle_ps(a, b, 0xDD);
  }

  /// The four numbers at `bytes` after `base`.
  ERMINE_PACK static void quadruples(const float* base, const int* bytes, Float& first,
                                     Float& second, Float& third, Float& fourth) {
    const __m256 a = fours(base, bytes[0], bytes[4]), b = fours(base, bytes[1], bytes[5]);
    const __m256 c = fours(base, bytes[2], bytes[6]), d = fours(base, bytes[3], bytes[7]);
    const __m256 low_ab = _mm256_unpacklo_ps(a, b), low_cd = _mm256_unpacklo_ps(c, d);
    const __m256 high_ab = _mm256_unpackhi_ps(a, b), high_cd = _mm256_unpackhi_ps(c, d);
    first = _mm256_shuffle_ps(low_ab, low_cd, 0x44);
    second = _mm256_shuffle_ps(low_ab, low_cd, 0xEE);
    third = _mm256_shuffle_ps(high_ab, high_cd, 0x44);
    fourth = _mm256_shuffle_ps(high_ab, high_cd, 0xEE);
  }

  ERMINE_PACK static Float gather(const float* base, const int* at) {
    const __m256 a = _mm256_blend_ps(one(base, at[0]), one(base, at[1]), 0x02);
    const __m256 b = _mm256_blend_ps(one(base, at[2]), one(base, at[3]), 0x08);
    const __m256 c = _mm256_blend_ps(one(base, at[4]), one(base, at[5]), 0x20);
    const __m256 d = _mm256_blend_ps(one(base, at[6]), one(base, at[7]), 0x80);
    return _mm256_blend_ps(_mm256_blend_ps(a, b, 0x0C), _mm256_blend_ps(c, d, 0xC0), 0xF0);
  }
  ERMINE_PACK static Float gather(const float* base, Int at) {
    return _mm256_i32gather_ps(base, at.v, 4);
  }
  ERMINE_PACK static Int gather(const std::uint32_t* base, Int at) {
    return _mm256_i32gather_epi32(reinterpret_cast<const int*>(base), at.v, 4);
  }

  /// Of the numbers of a table, those with these indices.
  ERMINE_PACK static Int lookup(Int table, Int at) {
    return _mm256_permutevar8x32_epi32(table.v, at.v);
  }

  /// Upper and lower half of the products of unsigned numbers.
  ERMINE_PACK static void multiply(Int a, Int b, Int& high, Int& low) {
    const __m256i even = _mm256_mul_epu32(a.v, b.v);
    const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(a.v, 32), _mm256_srli_epi64(b.v, 32));
    high = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xAA);
    low = _mm256_mullo_epi32(a.v, b.v);
  }

  /// Numbers too small to be normal count as zero: some processors take very long over them.
  struct NoSubnormals {
    unsigned before = _mm_getcsr();
    ERMINE_PACK NoSubnormals() { _mm_setcsr(before | 0x8040); }
    ERMINE_PACK ~NoSubnormals() { _mm_setcsr(before); }
  };

  /// Brings the chosen numbers together, in their order; what follows them is left open.
  struct Compress {
    __m256i order;
    ERMINE_PACK explicit Compress(unsigned chosen)
        : order(_mm256_cvtepu8_epi32(
              _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&compress_orders.order[chosen])))) {}
    ERMINE_PACK Float operator()(Float a) const { return _mm256_permutevar8x32_ps(a.v, order); }
    ERMINE_PACK Int operator()(Int a) const { return _mm256_permutevar8x32_epi32(a.v, order); }
  };

 private:
  ERMINE_PACK static __m256 join(__m128 low, __m128 high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
  }
  // Broadcasts and blends: insertions take one of the processor's ports all to themselves.
  ERMINE_PACK static __m256 one(const float* base, int at) {
    return _mm256_broadcast_ss(base + static_cast<unsigned>(at));
  }
  ERMINE_PACK static const __m128* after(const float* base, int bytes) {
    return reinterpret_cast<const __m128*>(reinterpret_cast<const char*>(base) +
                                           static_cast<unsigned>(bytes));
  }
  ERMINE_PACK static __m256 fours(const float* base, int low, int high) {
    return _mm256_blend_ps(_mm256_broadcast_ps(after(base, high)),
                           _mm256_castps128_ps256(*after(base, low)), 0x0F);
  }
  template <class Entry>
  ERMINE_PACK static __m128 two(const Entry* entry, int first, int second) {
    const __m128i low =
        _mm_loadl_epi64(reinterpret_cast<const __m128i*>(entry + static_cast<unsigned>(first)));
    return _mm_loadh_pi(_mm_castsi128_ps(low),
                        reinterpret_cast<const __m64*>(entry + static_cast<unsigned>(second)));
  }
};

}  // namespace ermine
