#pragma once

#include "core/macros.hpp"
#include "sampling/ray_stream.hpp"

#include <cstdint>

namespace ermine {

ERMINE_FUNCTION std::uint32_t reverse_bits(std::uint32_t x) {
#ifdef __CUDA_ARCH__
  return __brev(x);
#else
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
  x = (x >> 8 & 0x00FF00FFu) | (x & 0x00FF00FFu) << 8;
  return x >> 16 | x << 16;
#endif
}

/// Product of Pascal's matrix modulo 2 and the bits of r.
ERMINE_FUNCTION std::uint32_t pascal_product(std::uint32_t r) {
  r ^= r >> 16;
  r ^= r >> 8 & 0x00FF00FFu;
  r ^= r >> 4 & 0x0F0F0F0Fu;
  r ^= r >> 2 & 0x33333333u;
  r ^= r >> 1 & 0x55555555u;
  return r;
}

/// A word every bit of which depends on all bits of another (the finaliser of MurmurHash3).
ERMINE_FUNCTION std::uint32_t mixed_bits(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x85EBCA6Bu;
  x = (x ^ x >> 13) * 0xC2B2AE35u;
  return x ^ x >> 16;
}

/// Two words of a direction.
struct NetWords {
  std::uint32_t first;
  std::uint32_t second;
};

/// Ray r of a net: together with r / n, of n = 2^m rays, a (0, m, 3)-net in base 2 (H. Faure, Acta
/// Arith. 41, 1982): every box of volume 1/n with sides that are powers of 1/2 holds one ray.
/// Other n are less even. A shift by exclusive or keeps that and makes every ray uniform (A. B.
/// Owen, ACM Trans. Model. Comput. Simul. 13, 2003).
ERMINE_FUNCTION NetWords net_words(std::uint32_t r, const NetWords& shift) {
  return {reverse_bits(r) ^ shift.first, reverse_bits(pascal_product(r)) ^ shift.second};
}

/// Where ray r of a net crosses the cell that it starts in, along three axes: three more
/// coordinates, of a Kronecker sequence with the powers of the root of x^4 = x + 1 (the golden
/// ratio's generalisation to three dimensions), from a random start.
struct CrossingWords {
  std::uint32_t of_axis[3];
};
ERMINE_FUNCTION CrossingWords crossing_words(std::uint32_t r, std::uint32_t random) {
  constexpr std::uint32_t step[3] = {0xD1B54A33u, 0xABC98389u, 0x8CB92BA7u};
  CrossingWords words{};
  for (int a = 0; a < 3; ++a) {
    words.of_axis[a] =
        mixed_bits(random + static_cast<std::uint32_t>(a + 1) * 0x9E3779B9u) + r * step[a];
  }
  return words;
}

/// Shifts of a net whose directions are mirrored: by bits 0, 1, 2 of the image along the polar axis
/// and along the axes of the azimuth's cosine and sine.
ERMINE_FUNCTION NetWords mirrored(const NetWords& shift, int image) {
  return {shift.first ^ (image & 1 ? 0xFFFFFFFFu : 0u),
          shift.second ^ (image & 2 ? 0x7FFFFFFFu : 0u) ^ (image & 4 ? 0xFFFFFFFFu : 0u)};
}

/// What the rays of a net are shifted by where it is a block of a longer sequence, besides what is
/// random.
struct NetBlock {
  NetWords shift;        ///< of the directions
  std::uint32_t offset;  ///< of the spectral points, in units of 2^-32
  std::uint32_t number;  ///< of the block
};

/// Block `number` of a sequence whose block 0 is not shifted at all. 4^e blocks of n = 2^m rays,
/// from any multiple of 4^e on, are together as even as one net of so many rays: a (0, m + 2e, 3)-
/// net. (Two cannot be: no box of volume 1/n holds more than two of their rays, and some of half
/// that volume do hold two.)
///
/// The bits of r are the coefficients of a polynomial of degree below m, and the three coordinates
/// of a ray its expansions at infinity, 0 and 1. A block adds to all of its rays a rational
/// function that has poles elsewhere: the sum over bits of the number of x/p, 1/p, x/p^2, 1/p^2,
/// ... with the irreducible p = x^2 + x + 1. With e powers of p there are m + 2e coefficients, and
/// a function other than 0 has less than m + 2e zeros: as many first digits of the three
/// coordinates together tell all rays apart (as in H. Niederreiter and C. P. Xing, Acta Arith. 72,
/// 1995).
ERMINE_FUNCTION NetBlock net_block(std::uint32_t number) {
  NetBlock block{{0, 0}, 0, number};
  std::uint32_t series = 0x80000000u;  // of p^-e in x, in x + 1, and, but for x^-2e, in 1/x
  for (int bit = 0; bit < 32; bit += 2) {
    // Over p = (1 + x^3) / (1 + x).
    series ^= series >> 1;
    series ^= series >> 3;
    series ^= series >> 6;
    series ^= series >> 12;
    series ^= series >> 24;
    if (number >> bit & 1) {
      block.shift.first ^= series >> 1;
      block.shift.second ^= series ^ series >> 1;
      block.offset ^= series >> bit;
    }
    if (number >> bit & 2) {
      block.shift.first ^= series;
      block.shift.second ^= series;
      block.offset ^= series >> bit >> 1;
    }
  }
  return block;
}

/// Names one net: all rays of a replicate of one origin.
struct NetKey {
  std::uint64_t seed;
  std::uint32_t update;
  std::uint32_t origin;
  std::uint32_t replicate;
};

/// What a net needs of random numbers. They are draws of a ray stream beyond those that any ray
/// comes to, one draw for each purpose: no two nets, nor a net and a ray, share one.
class NetStream {
 public:
  ERMINE_FUNCTION explicit NetStream(const NetKey& key) : key_(key) {}

  /// Of the directions.
  ERMINE_FUNCTION NetWords shift(const NetWords& of_block = {0, 0}) const {
    const Draw draw = at(0x80000000u, key_.replicate);
    return {draw.word[0] ^ of_block.first, draw.word[1] ^ of_block.second};
  }

  /// Of the spectral points, in [0, 1).
  ERMINE_FUNCTION double offset(std::uint32_t of_block = 0) const {
    return static_cast<double>(at(0x80000001u, key_.replicate).word[2] ^ of_block) * 0x1p-32;
  }

 private:
  ERMINE_FUNCTION Draw at(std::uint32_t purpose, std::uint32_t number) const {
    return RayStream({key_.seed, key_.update, key_.origin, number}, purpose).next();
  }

  NetKey key_;
};

}  // namespace ermine
