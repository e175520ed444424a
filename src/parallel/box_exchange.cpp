#include "parallel/box_exchange.hpp"

#include <utility>

namespace ermine {

BoxExchange::BoxExchange(std::shared_ptr<Ranks> ranks, const Box& from, const Box& to,
                         const std::array<std::int64_t, 3>& period)
    : ranks_(std::move(ranks)), period_(period), from_(from), to_(to) {
  for (const auto& [their_from, their_to] : gather_one(*ranks_, std::array{from, to})) {
    sent_.push_back(pieces(from, their_to));
    received_.push_back(pieces(their_from, to));
  }
}

std::vector<BoxExchange::Piece> BoxExchange::pieces(const Box& from, const Box& to) const {
  std::vector<Piece> found;
  std::array<std::int64_t, 3> first{}, last{};
  for (const std::size_t a : {0, 1, 2}) {
    if (period_[a] == 0) continue;
    const auto turns = [&](std::int64_t i) {
      return i >= 0 ? i / period_[a] : -((period_[a] - 1 - i) / period_[a]);
    };
    first[a] = turns(to.begin[a]);
    last[a] = turns(to.end[a] - 1);
  }
  for (std::int64_t k = first[2]; k <= last[2]; ++k) {
    for (std::int64_t j = first[1]; j <= last[1]; ++j) {
      for (std::int64_t i = first[0]; i <= last[0]; ++i) {
        const std::array shift{i * period_[0], j * period_[1], k * period_[2]};
        Box image = to;
        for (const std::size_t a : {0, 1, 2}) {
          image.begin[a] -= shift[a];
          image.end[a] -= shift[a];
        }
        const Box common = intersection(from, image);
        if (!common.empty()) found.push_back({common, shift});
      }
    }
  }
  return found;
}

template <class T>
std::vector<T> BoxExchange::operator()(std::span<const T> values) const {
  std::vector<Bytes> leaving(sent_.size());
  for (std::size_t r = 0; r < sent_.size(); ++r) {
    std::vector<T> packed;
    for (const Piece& piece : sent_[r]) {
      const auto width = static_cast<std::size_t>(piece.source.extent(0));
      for_each_row(piece.source, [&](std::int64_t j, std::int64_t k) {
        const T* row = values.data() + from_.at(piece.source.begin[0], j, k);
        packed.insert(packed.end(), row, row + width);
      });
    }
    leaving[r] = to_bytes(std::span<const T>(packed));
  }
  const std::vector<Bytes> arrived = ranks_->exchange(leaving);
  std::vector<T> result(to_.count());
  for (std::size_t r = 0; r < received_.size(); ++r) {
    const std::byte* next = arrived[r].data();
    for (const Piece& piece : received_[r]) {
      const std::size_t bytes = static_cast<std::size_t>(piece.source.extent(0)) * sizeof(T);
      for_each_row(piece.source, [&](std::int64_t j, std::int64_t k) {
        std::memcpy(result.data() + to_.at(piece.source.begin[0] + piece.shift[0],
                                           j + piece.shift[1], k + piece.shift[2]),
                    next, bytes);
        next += bytes;
      });
    }
  }
  return result;
}

std::vector<double> gather_field(std::vector<double> values, std::span<const Box> boxes,
                                 const Box& all, Ranks& ranks) {
  if (ranks.alone()) return values;
  const auto parts = gather(ranks, std::span<const double>(values));
  std::vector<double> field(all.count());
  for (std::size_t r = 0; r < boxes.size(); ++r) {
    const double* next = parts[r].data();
    for_each_row(boxes[r], [&](std::int64_t j, std::int64_t k) {
      std::copy_n(next, boxes[r].extent(0), field.data() + all.at(boxes[r].begin[0], j, k));
      next += boxes[r].extent(0);
    });
  }
  return field;
}

template std::vector<double> BoxExchange::operator()(std::span<const double>) const;
template std::vector<float> BoxExchange::operator()(std::span<const float>) const;

}  // namespace ermine
