#include "files/sha256.hpp"

#include "core/check.hpp"
#include "files/input_file.hpp"

#include <algorithm>
#include <bit>
#include <fstream>
#include <vector>

namespace ermine {
namespace {

constexpr std::size_t block_bytes = 64;

// First 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constant{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<std::uint32_t, 8>;

void add_block(State& state, const unsigned char* block) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
           std::uint32_t{block[4 * i + 2]} << 8 | std::uint32_t{block[4 * i + 3]};
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15];
    const std::uint32_t b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                             ((e & f) ^ (~e & g)) + round_constant[i] + w[i];
    const std::uint32_t t2 =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const State added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += added[i];
}

}  // namespace

Sha256::Sha256()
    : state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19} {}

void Sha256::add(std::span<const char> bytes) {
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t kept = size_ % block_bytes;
  size_ += bytes.size();
  std::size_t used = 0;
  if (kept > 0) {
    used = std::min(block_bytes - kept, bytes.size());
    std::copy_n(data, used, rest_.begin() + static_cast<std::ptrdiff_t>(kept));
    if (kept + used < block_bytes) return;
    add_block(state_, rest_.data());
  }
  for (; used + block_bytes <= bytes.size(); used += block_bytes) add_block(state_, data + used);
  std::copy(data + used, data + bytes.size(), rest_.begin());
}

std::string Sha256::digits() const {
  std::array<std::uint32_t, 8> state = state_;
  const auto kept = static_cast<std::ptrdiff_t>(size_ % block_bytes);
  std::vector<unsigned char> rest(rest_.begin(), rest_.begin() + kept);
  rest.push_back(0x80);
  while (rest.size() % block_bytes != 56) rest.push_back(0);
  for (int shift = 56; shift >= 0; shift -= 8) {
    rest.push_back(static_cast<unsigned char>((std::uint64_t{size_} * 8) >> shift));
  }
  for (std::size_t i = 0; i < rest.size(); i += block_bytes) add_block(state, rest.data() + i);
  std::string digits;
  for (const std::uint32_t word : state) digits += fmt::format("{:08x}", word);
  return digits;
}

std::string sha256(std::span<const char> bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.digits();
}

std::string sha256_of_file(const std::filesystem::path& file, std::size_t from) {
  require_regular(file);
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(from));
  ERMINE_REQUIRE(in, "cannot read {}, check that the file exists and may be read", file.string());
  Sha256 sum;
  std::vector<char> buffer(1 << 20);
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    sum.add(std::span(buffer).first(static_cast<std::size_t>(in.gcount())));
  }
  ERMINE_REQUIRE(!in.bad(), "reading {} failed, check the disk", file.string());
  return sum.digits();
}

}  // namespace ermine
