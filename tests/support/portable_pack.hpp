#pragma once

#include "core/pack.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace ermine::test {

/// So many numbers side by side, in the language alone: what the packs of processors are to do.
template <int numbers>
struct PortablePack {
  static constexpr int width = numbers;

  template <class T>
  struct Numbers {
    T of[width];
    Numbers() = default;
    Numbers(T value) {
      for (T& x : of) x = value;
    }
  };
  template <class Result, class Function>
  static Result each(const Function& function) {
    Result result{};
    for (int i = 0; i < width; ++i) result.of[i] = function(i);
    return result;
  }

  struct Mask : Numbers<bool> {
    friend Mask operator&(Mask a, Mask b) {
      return each<Mask>([&](int i) { return a.of[i] && b.of[i]; });
    }
    friend Mask operator|(Mask a, Mask b) {
      return each<Mask>([&](int i) { return a.of[i] || b.of[i]; });
    }
    unsigned bits() const {
      unsigned all = 0;
      for (int i = 0; i < width; ++i) all |= static_cast<unsigned>(this->of[i]) << i;
      return all;
    }
  };

  struct Float : Numbers<float> {
    using Numbers<float>::Numbers;
    static Float load(const float* at) {
      return each<Float>([&](int i) { return at[i]; });
    }
    void store(float* at) const {
      for (int i = 0; i < width; ++i) at[i] = this->of[i];
    }
    Float with_sign_of(Float a) const {
      return each<Float>([&](int i) { return std::copysign(this->of[i], a.of[i]); });
    }
    friend Float operator+(Float a, Float b) {
      return each<Float>([&](int i) { return a.of[i] + b.of[i]; });
    }
    friend Float operator-(Float a, Float b) {
      return each<Float>([&](int i) { return a.of[i] - b.of[i]; });
    }
    friend Float operator*(Float a, Float b) {
      return each<Float>([&](int i) { return a.of[i] * b.of[i]; });
    }
    friend Float operator/(Float a, Float b) {
      return each<Float>([&](int i) { return a.of[i] / b.of[i]; });
    }
    friend Mask operator<=(Float a, Float b) {
      return each<Mask>([&](int i) { return a.of[i] <= b.of[i]; });
    }
    friend Mask operator>(Float a, Float b) {
      return each<Mask>([&](int i) { return a.of[i] > b.of[i]; });
    }
  };

  struct Int : Numbers<std::uint32_t> {
    Int() = default;
    Int(std::uint32_t value) : Numbers<std::uint32_t>(value) {}
    Int(int value) : Int(static_cast<std::uint32_t>(value)) {}
    template <class Word>
    static Int load(const Word* at) {
      return each<Int>([&](int i) { return static_cast<std::uint32_t>(at[i]); });
    }
    void store(int* at) const {
      for (int i = 0; i < width; ++i) at[i] = with_sign(i);
    }
    int with_sign(int i) const { return static_cast<int>(this->of[i]); }
    friend Int operator+(Int a, Int b) {
      return each<Int>([&](int i) { return a.of[i] + b.of[i]; });
    }
    friend Int operator-(Int a, Int b) {
      return each<Int>([&](int i) { return a.of[i] - b.of[i]; });
    }
    friend Int operator*(Int a, Int b) {
      return each<Int>([&](int i) { return a.of[i] * b.of[i]; });
    }
    friend Int operator&(Int a, Int b) {
      return each<Int>([&](int i) { return a.of[i] & b.of[i]; });
    }
    friend Int operator^(Int a, Int b) {
      return each<Int>([&](int i) { return a.of[i] ^ b.of[i]; });
    }
    friend Mask operator>(Int a, Int b) {
      return each<Mask>([&](int i) { return a.with_sign(i) > b.with_sign(i); });
    }
    friend Mask operator==(Int a, Int b) {
      return each<Mask>([&](int i) { return a.of[i] == b.of[i]; });
    }
    template <int count>
    Int left() const {
      return each<Int>([&](int i) { return this->of[i] << count; });
    }
    template <int count>
    Int right() const {
      return each<Int>([&](int i) { return this->of[i] >> count; });
    }
    Int sign() const {
      return each<Int>([&](int i) { return this->of[i] >> 31 ? ~0u : 0u; });
    }
  };

  static Int counting() {
    return each<Int>([](int i) { return static_cast<std::uint32_t>(i); });
  }
  static Float min(Float a, Float b) {
    return each<Float>([&](int i) { return a.of[i] < b.of[i] ? a.of[i] : b.of[i]; });
  }
  static Float fma(Float a, Float b, Float c) {
    return each<Float>([&](int i) { return std::fma(a.of[i], b.of[i], c.of[i]); });
  }
  static Float absolute(Float a) {
    return each<Float>([&](int i) { return std::abs(a.of[i]); });
  }
  static Float sqrt(Float a) {
    return each<Float>([&](int i) { return std::sqrt(a.of[i]); });
  }
  static Float floor(Float a) {
    return each<Float>([&](int i) { return std::floor(a.of[i]); });
  }
  static Float round(Float a) {
    return each<Float>([&](int i) { return std::nearbyint(a.of[i]); });
  }
  static Float rough_inverse(Float a) { return Float(1.0f) / a; }
  static Int bits_of(Float a) {
    Int bits;
    std::memcpy(bits.of, a.of, sizeof bits.of);
    return bits;
  }
  static Float from_bits(Int a) {
    Float number;
    std::memcpy(number.of, a.of, sizeof number.of);
    return number;
  }
  static Float to_float(Int a) {
    return each<Float>([&](int i) { return static_cast<float>(a.with_sign(i)); });
  }
  /// As the instructions do: the lowest number for what has no place among integers.
  static std::uint32_t integer(float x) {
    const bool fits = x >= -2147483648.0f && x < 2147483648.0f;
    return static_cast<std::uint32_t>(fits ? static_cast<int>(x) : std::numeric_limits<int>::min());
  }
  static Int truncate(Float a) {
    return each<Int>([&](int i) { return integer(std::trunc(a.of[i])); });
  }
  static Int nearest(Float a) {
    return each<Int>([&](int i) { return integer(std::nearbyint(a.of[i])); });
  }
  static Mask negative(Float a) {
    return each<Mask>([&](int i) { return std::signbit(a.of[i]); });
  }
  static Mask none() { return {}; }
  static Mask below(Int a, std::uint32_t limit) {
    return each<Mask>([&](int i) { return a.of[i] < limit; });
  }
  static Mask not_below(Int a, int limit) {
    return each<Mask>([&](int i) { return a.of[i] >= static_cast<std::uint32_t>(limit); });
  }
  static Int unsigned_min(Int a, Int b) {
    return each<Int>([&](int i) { return a.of[i] < b.of[i] ? a.of[i] : b.of[i]; });
  }
  static Mask but_not(Mask a, Mask b) {
    return each<Mask>([&](int i) { return a.of[i] && !b.of[i]; });
  }
  template <class T>
  static T where(Mask m, T a) {
    return select(m, a, T(0));
  }
  template <class T>
  static T select(Mask m, T a, T b) {
    return each<T>([&](int i) { return m.of[i] ? a.of[i] : b.of[i]; });
  }
  static Float add_where(Mask m, Float a, Float b) { return select(m, a + b, a); }
  static Float add_unless(Mask m, Float a, Float b) { return select(m, a, a + b); }
  static Int count(Int sum, Mask m) { return sum + where(m, Int(1)); }

  template <class Entry>
  static void halves(const Entry* entry, const int* at, Float& lower, Float& upper) {
    for (int i = 0; i < width; ++i) {
      float parts[2];
      std::memcpy(parts, entry + at[i], sizeof parts);
      lower.of[i] = parts[0];
      upper.of[i] = parts[1];
    }
  }
  static void quadruples(const float* base, const int* bytes, Float& first, Float& second,
                         Float& third, Float& fourth) {
    for (int i = 0; i < width; ++i) {
      float parts[4];
      std::memcpy(parts, reinterpret_cast<const char*>(base) + bytes[i], sizeof parts);
      first.of[i] = parts[0];
      second.of[i] = parts[1];
      third.of[i] = parts[2];
      fourth.of[i] = parts[3];
    }
  }
  static Float gather(const float* base, const int* at) {
    return each<Float>([&](int i) { return base[at[i]]; });
  }
  static Float gather(const float* base, Int at) {
    return each<Float>([&](int i) { return base[at.with_sign(i)]; });
  }
  static Int gather(const std::uint32_t* base, Int at) {
    return each<Int>([&](int i) { return base[at.with_sign(i)]; });
  }
  /// Of indices that are too large, the lowest bits count, as in hardware.
  static Int lookup(Int table, Int at) {
    return each<Int>([&](int i) { return table.of[at.of[i] % width]; });
  }
  static void multiply(Int a, Int b, Int& high, Int& low) {
    for (int i = 0; i < width; ++i) {
      const std::uint64_t product = std::uint64_t{a.of[i]} * b.of[i];
      high.of[i] = static_cast<std::uint32_t>(product >> 32);
      low.of[i] = static_cast<std::uint32_t>(product);
    }
  }
  struct NoSubnormals {
    NoSubnormals() {}
    ~NoSubnormals() {}
  };
  struct Compress {
    unsigned chosen;
    explicit Compress(unsigned bits) : chosen(bits) {}
    template <class T>
    T operator()(T a) const {
      T result{};
      int n = 0;
      for (int i = 0; i < width; ++i) {
        if (chosen >> i & 1) result.of[n++] = a.of[i];
      }
      return result;
    }
  };
};

}  // namespace ermine::test
