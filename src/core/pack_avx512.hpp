#pragma once

// Compiled for processors with AVX-512 (F, DQ, BW, VL) only, see pack.hpp.
#include "core/pack.hpp"

#include <cstdint>
#include <immintrin.h>

namespace ermine {

/// Sixteen numbers side by side, with AVX-512. Functions are those of Avx2Pack.
struct Avx512Pack {
  static constexpr int width = 16;

  struct Mask {
    __mmask16 v;
    ERMINE_PACK friend Mask operator&(Mask a, Mask b) { return {_kand_mask16(a.v, b.v)}; }
    ERMINE_PACK friend Mask operator|(Mask a, Mask b) { return {_kor_mask16(a.v, b.v)}; }
    ERMINE_PACK unsigned bits() const { return v; }
  };

  struct Float {
    __m512 v;
    ERMINE_PACK Float() = default;
    ERMINE_PACK Float(__m512 value) : v(value) {}
    ERMINE_PACK Float(float value) : v(_mm512_set1_ps(value)) {}
    ERMINE_PACK static Float load(const float* at) { return _mm512_loadu_ps(at); }
    ERMINE_PACK void store(float* at) const { _mm512_storeu_ps(at, v); }
    ERMINE_PACK Float with_sign_of(Float a) const {
      return _mm512_or_ps(v, _mm512_and_ps(a.v, _mm512_set1_ps(-0.0f)));
    }
    ERMINE_PACK friend Float operator+(Float a, Float b) { return _mm512_add_ps(a.v, b.v); }
    ERMINE_PACK friend Float operator-(Float a, Float b) { return _mm512_sub_ps(a.v, b.v); }
    ERMINE_PACK friend Float operator*(Float a, Float b) { return _mm512_mul_ps(a.v, b.v); }
    ERMINE_PACK friend Float operator/(Float a, Float b) { return _mm512_div_ps(a.v, b.v); }
    ERMINE_PACK friend Mask operator<=(Float a, Float b) {
      return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_LE_OQ)};
    }
    ERMINE_PACK friend Mask operator>(Float a, Float b) {
      return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_GT_OQ)};
    }
  };

  struct Int {
    __m512i v;
    ERMINE_PACK Int() = default;
    ERMINE_PACK Int(__m512i value) : v(value) {}
    ERMINE_PACK Int(int value) : v(_mm512_set1_epi32(value)) {}
    ERMINE_PACK Int(std::uint32_t value) : Int(static_cast<int>(value)) {}
    template <class Word>
    ERMINE_PACK static Int load(const Word* at) {
      static_assert(sizeof(Word) == 4);
      return _mm512_loadu_si512(at);
    }
    ERMINE_PACK void store(int* at) const { _mm512_storeu_si512(at, v); }
    ERMINE_PACK friend Int operator+(Int a, Int b) { return _mm512_add_epi32(a.v, b.v); }
    ERMINE_PACK friend Int operator-(Int a, Int b) { return _mm512_sub_epi32(a.v, b.v); }
    ERMINE_PACK friend Int operator*(Int a, Int b) { return _mm512_mullo_epi32(a.v, b.v); }
    ERMINE_PACK friend Int operator&(Int a, Int b) { return _mm512_and_si512(a.v, b.v); }
    ERMINE_PACK friend Int operator^(Int a, Int b) { return _mm512_xor_si512(a.v, b.v); }
    ERMINE_PACK friend Mask operator>(Int a, Int b) { return {_mm512_cmpgt_epi32_mask(a.v, b.v)}; }
    ERMINE_PACK friend Mask operator==(Int a, Int b) { return {_mm512_cmpeq_epi32_mask(a.v, b.v)}; }
    template <unsigned count>
    ERMINE_PACK Int left() const {
      return _mm512_slli_epi32(v, count);
    }
    template <unsigned count>
    ERMINE_PACK Int right() const {
      return _mm512_srli_epi32(v, count);
    }
    ERMINE_PACK Int sign() const { return _mm512_srai_epi32(v, 31); }
  };

  ERMINE_PACK static Int counting() {
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  }
  ERMINE_PACK static Float min(Float a, Float b) { return _mm512_min_ps(a.v, b.v); }
  ERMINE_PACK static Float fma(Float a, Float b, Float c) { return _mm512_fmadd_ps(a.v, b.v, c.v); }
  ERMINE_PACK static Float absolute(Float a) { return _mm512_abs_ps(a.v); }
  ERMINE_PACK static Float sqrt(Float a) { return _mm512_sqrt_ps(a.v); }
  ERMINE_PACK static Float floor(Float a) {
    return _mm512_roundscale_ps(a.v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  }
  ERMINE_PACK static Float round(Float a) {
    return _mm512_roundscale_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  ERMINE_PACK static Float rough_inverse(Float a) { return _mm512_rcp14_ps(a.v); }
  ERMINE_PACK static Int bits_of(Float a) { return _mm512_castps_si512(a.v); }
  ERMINE_PACK static Float from_bits(Int a) { return _mm512_castsi512_ps(a.v); }
  ERMINE_PACK static Float to_float(Int a) { return _mm512_cvtepi32_ps(a.v); }
  ERMINE_PACK static Int truncate(Float a) { return _mm512_cvttps_epi32(a.v); }
  ERMINE_PACK static Int nearest(Float a) { return _mm512_cvtps_epi32(a.v); }

  ERMINE_PACK static Mask negative(Float a) {
    return {_mm512_movepi32_mask(_mm512_castps_si512(a.v))};
  }
  ERMINE_PACK static Mask none() { return {0}; }
  ERMINE_PACK static Mask below(Int a, std::uint32_t limit) {
    return {_mm512_cmplt_epu32_mask(a.v, _mm512_set1_epi32(static_cast<int>(limit)))};
  }
  ERMINE_PACK static Mask not_below(Int a, int limit) {
    return {_mm512_cmpge_epu32_mask(a.v, _mm512_set1_epi32(limit))};
  }
  ERMINE_PACK static Int unsigned_min(Int a, Int b) { return _mm512_min_epu32(a.v, b.v); }
  ERMINE_PACK static Mask but_not(Mask a, Mask b) { return {_kandn_mask16(b.v, a.v)}; }
  ERMINE_PACK static Float where(Mask m, Float a) { return _mm512_maskz_mov_ps(m.v, a.v); }
  ERMINE_PACK static Int where(Mask m, Int a) { return _mm512_maskz_mov_epi32(m.v, a.v); }
  ERMINE_PACK static Float select(Mask m, Float a, Float b) {
    return _mm512_mask_blend_ps(m.v, b.v, a.v);
  }
  ERMINE_PACK static Int select(Mask m, Int a, Int b) {
    return _mm512_mask_blend_epi32(m.v, b.v, a.v);
  }
  ERMINE_PACK static Float add_where(Mask m, Float a, Float b) {
    return _mm512_mask_add_ps(a.v, m.v, a.v, b.v);
  }
  ERMINE_PACK static Float add_unless(Mask m, Float a, Float b) {
    return _mm512_mask_add_ps(a.v, _knot_mask16(m.v), a.v, b.v);
  }
  ERMINE_PACK static Int count(Int sum, Mask m) {
    return _mm512_mask_add_epi32(sum.v, m.v, sum.v, _mm512_set1_epi32(1));
  }

  template <class Entry>
  ERMINE_PACK static void halves(const Entry* entry, const int* at, Float& lower, Float& upper) {
    static_assert(sizeof(Entry) == 8);
    const __m512 a = join(pairs(entry, at), pairs(entry, at + 8));
    const __m512 b = join(pairs(entry, at + 2), pairs(entry, at + 10));
    lower = _mm512_shuffle_ps(a, b, 0x88);
    upper = _mm512_shuffle_ps(a, b, 0xDD);
  }

  ERMINE_PACK static void quadruples(const float* base, const int* bytes, Float& first,
                                     Float& second, Float& third, Float& fourth) {
    const __m512 a = fours(base, bytes), b = fours(base, bytes + 1);
    const __m512 c = fours(base, bytes + 2), d = fours(base, bytes + 3);
    const __m512 low_ab = _mm512_unpacklo_ps(a, b), low_cd = _mm512_unpacklo_ps(c, d);
    const __m512 high_ab = _mm512_unpackhi_ps(a, b), high_cd = _mm512_unpackhi_ps(c, d);
    first = _mm512_shuffle_ps(low_ab, low_cd, 0x44);
    second = _mm512_shuffle_ps(low_ab, low_cd, 0xEE);
    third = _mm512_shuffle_ps(high_ab, high_cd, 0x44);
    fourth = _mm512_shuffle_ps(high_ab, high_cd, 0xEE);
  }

  ERMINE_PACK static Float gather(const float* base, const int* at) {
    return join(eight(base, at), eight(base, at + 8));
  }
  ERMINE_PACK static Float gather(const float* base, Int at) {
    return _mm512_i32gather_ps(at.v, base, 4);
  }
  ERMINE_PACK static Int gather(const std::uint32_t* base, Int at) {
    return _mm512_i32gather_epi32(at.v, base, 4);
  }

  ERMINE_PACK static Int lookup(Int table, Int at) {
    return _mm512_permutexvar_epi32(at.v, table.v);
  }

  ERMINE_PACK static void multiply(Int a, Int b, Int& high, Int& low) {
    const __m512i even = _mm512_mul_epu32(a.v, b.v);
    const __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(a.v, 32), _mm512_srli_epi64(b.v, 32));
    high = _mm512_mask_blend_epi32(0xAAAA, _mm512_srli_epi64(even, 32), odd);
    low = _mm512_mullo_epi32(a.v, b.v);
  }

  struct NoSubnormals {
    unsigned before = _mm_getcsr();
    ERMINE_PACK NoSubnormals() { _mm_setcsr(before | 0x8040); }
    ERMINE_PACK ~NoSubnormals() { _mm_setcsr(before); }
  };

  struct Compress {
    __m512i from;  ///< lanes that are chosen: permutations are faster than compressions
    ERMINE_PACK explicit Compress(unsigned bits)
        : from(_mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), counting().v)) {}
    ERMINE_PACK Float operator()(Float a) const { return _mm512_permutexvar_ps(from, a.v); }
    ERMINE_PACK Int operator()(Int a) const { return _mm512_permutexvar_epi32(from, a.v); }
  };

 private:
  ERMINE_PACK static __m512 join(__m256 low, __m256 high) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
  }
  ERMINE_PACK static __m256 one(const float* base, int at) {
    return _mm256_broadcast_ss(base + static_cast<unsigned>(at));
  }
  ERMINE_PACK static __m256 eight(const float* base, const int* at) {
    const __m256 a = _mm256_blend_ps(one(base, at[0]), one(base, at[1]), 0x02);
    const __m256 b = _mm256_blend_ps(one(base, at[2]), one(base, at[3]), 0x08);
    const __m256 c = _mm256_blend_ps(one(base, at[4]), one(base, at[5]), 0x20);
    const __m256 d = _mm256_blend_ps(one(base, at[6]), one(base, at[7]), 0x80);
    return _mm256_blend_ps(_mm256_blend_ps(a, b, 0x0C), _mm256_blend_ps(c, d, 0xC0), 0xF0);
  }
  ERMINE_PACK static const __m128* after(const float* base, int bytes) {
    return reinterpret_cast<const __m128*>(reinterpret_cast<const char*>(base) +
                                           static_cast<unsigned>(bytes));
  }
  /// Of every fourth lane.
  ERMINE_PACK static __m512 fours(const float* base, const int* bytes) {
    const __m256 low = _mm256_blend_ps(_mm256_broadcast_ps(after(base, bytes[4])),
                                       _mm256_castps128_ps256(*after(base, bytes[0])), 0x0F);
    const __m256 high = _mm256_blend_ps(_mm256_broadcast_ps(after(base, bytes[12])),
                                        _mm256_castps128_ps256(*after(base, bytes[8])), 0x0F);
    return join(low, high);
  }
  /// Of lanes 0, 1, 4 and 5.
  template <class Entry>
  ERMINE_PACK static __m256 pairs(const Entry* entry, const int* at) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(two(entry, at[0], at[1])),
                                two(entry, at[4], at[5]), 1);
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
