// SPDX-License-Identifier: Apache-2.0
#include "char_model.hpp"

#include <cmath>
#include <tuple>

namespace sweepback::train {

namespace {

constexpr Count embedding_width = 64;

Count gates(Cell cell) { return cell == Cell::rnn ? 1 : cell == Cell::gru ? 3 : 4; }

at::Tensor uniform(at::IntArrayRef sizes, double bound) {
  return at::empty(sizes).uniform_(-bound, bound);
}

}  // namespace

Count CharModelImpl::Shape::parameters() const {
  const Count below = embedding_width + (layers - 1) * hidden;  // of all layers
  return symbols * embedding_width + gates(cell) * hidden * (below + layers * (hidden + 2)) +
         symbols * (hidden + 1);
}

CharModelImpl::CharModelImpl(const Shape& shape) : shape_(shape) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(shape.hidden));
  embedding_ = register_parameter("embedding", at::randn({shape.symbols, embedding_width}));
  for (Count i = 0; i < shape.layers; ++i) {
    const Count below = i == 0 ? embedding_width : shape.hidden;
    const Count rows = gates(shape.cell) * shape.hidden;
    const std::string layer = "layer" + std::to_string(i) + "_";
    layers_.push_back({
        register_parameter(layer + "weight_ih", uniform({rows, below}, bound)),
        register_parameter(layer + "weight_hh", uniform({rows, shape.hidden}, bound)),
        register_parameter(layer + "bias_ih", uniform({rows}, bound)),
        register_parameter(layer + "bias_hh", uniform({rows}, bound)),
    });
  }
  read_out_ = register_parameter("read_out", uniform({shape.symbols, shape.hidden}, bound));
  read_out_bias_ = register_parameter("read_out_bias", uniform({shape.symbols}, bound));
}

void CharModelImpl::expect(const at::Tensor& occurrences) {
  const at::NoGradGuard no_grad;
  read_out_bias_.copy_(at::log(occurrences / occurrences.sum()));
}

std::vector<at::Tensor> CharModelImpl::zero_state(Count batch) const {
  const Count tensors = shape_.layers * (shape_.cell == Cell::lstm ? 2 : 1);
  std::vector<at::Tensor> state;
  for (Count i = 0; i < tensors; ++i) state.push_back(at::zeros({batch, shape_.hidden}));
  return state;
}

CharModelImpl::Result CharModelImpl::forward(const at::Tensor& characters,
                                             const std::vector<at::Tensor>& state) {
  Result result;
  at::Tensor x = at::embedding(embedding_, characters);
  std::size_t at = 0;
  for (const auto& [weight_ih, weight_hh, bias_ih, bias_hh] : layers_) {
    const at::Tensor& h = state[at++];
    if (shape_.cell == Cell::lstm) {
      const at::Tensor& c = state[at++];
      auto [h_next, c_next] = at::lstm_cell(x, {h, c}, weight_ih, weight_hh, bias_ih, bias_hh);
      x = h_next;
      result.state.push_back(std::move(h_next));
      result.state.push_back(std::move(c_next));
    } else {
      x = shape_.cell == Cell::gru
              ? at::gru_cell(x, h, weight_ih, weight_hh, bias_ih, bias_hh)
              : at::rnn_tanh_cell(x, h, weight_ih, weight_hh, bias_ih, bias_hh);
      result.state.push_back(x);
    }
  }
  result.logits = at::linear(x, read_out_, read_out_bias_);
  return result;
}

CharModelImpl::Result CharModelImpl::forward_block(const at::Tensor& characters,
                                                   const std::vector<at::Tensor>& state) {
  const at::Tensor x = at::embedding(embedding_, characters);
  std::vector<at::Tensor> weights, h, c;
  std::size_t at = 0;
  for (const auto& [weight_ih, weight_hh, bias_ih, bias_hh] : layers_) {
    weights.insert(weights.end(), {weight_ih, weight_hh, bias_ih, bias_hh});
    h.push_back(state[at++]);
    if (shape_.cell == Cell::lstm) c.push_back(state[at++]);
  }
  constexpr bool biases = true, train = true, bidirectional = false, batch_first = false;
  constexpr double dropout = 0;
  at::Tensor out, h_next, c_next;
  switch (shape_.cell) {
    case Cell::lstm:
      std::tie(out, h_next, c_next) =
          at::lstm(x, {at::stack(h), at::stack(c)}, weights, biases, shape_.layers, dropout, train,
                   bidirectional, batch_first);
      break;
    case Cell::gru:
      std::tie(out, h_next) = at::gru(x, at::stack(h), weights, biases, shape_.layers, dropout, train,
                                      bidirectional, batch_first);
      break;
    case Cell::rnn:
      std::tie(out, h_next) = at::rnn_tanh(x, at::stack(h), weights, biases, shape_.layers, dropout,
                                           train, bidirectional, batch_first);
      break;
  }
  Result result;
  for (Count i = 0; i < shape_.layers; ++i) {
    result.state.push_back(h_next[i]);
    if (c_next.defined()) result.state.push_back(c_next[i]);
  }
  result.logits = at::linear(out, read_out_, read_out_bias_);
  return result;
}

torch::BlockFunction block_of(const CharModel& model, Count length) {
  return [model, share = 1.0 / static_cast<double>(length)](
             Count i, Count j, const torch::Value& input, const torch::Value& state) {
    const auto [characters, next] = input.to<std::tuple<at::Tensor, at::Tensor>>();
    auto [logits, after] = model->forward_block(characters, state.to<std::vector<at::Tensor>>());
    const at::Tensor loss = at::cross_entropy_loss(logits.flatten(0, 1), next.flatten());
    return torch::Stepped{loss * (share * static_cast<double>(j - i)),
                          torch::Value(std::move(after))};
  };
}

torch::BlockInputs block_inputs_of(const at::Tensor& window) {
  return [window](Count i, Count j) {
    return torch::Value(std::tuple(window.slice(0, i, j), window.slice(0, i + 1, j + 1)));
  };
}

torch::StepFunction step_of(const CharModel& model, Count length) {
  return torch::step<std::vector<at::Tensor>, std::tuple<at::Tensor, at::Tensor>>(
      [model, share = 1.0 / static_cast<double>(length)](
          const std::tuple<at::Tensor, at::Tensor>& input,
          const std::vector<at::Tensor>& state) {
        auto [logits, next] = model->forward(std::get<0>(input), state);
        return std::pair(at::cross_entropy_loss(logits, std::get<1>(input)) * share,
                         std::move(next));
      });
}

torch::Inputs inputs_of(const at::Tensor& window) {
  return [rows = window.unbind(0)](Count k) {
    const auto at = static_cast<std::size_t>(k);
    return torch::Value(std::tuple(rows[at], rows[at + 1]));
  };
}

std::string sample(const CharModel& model, const Alphabet& alphabet, Count count,
                   const std::function<void()>& tick) {
  const at::NoGradGuard no_grad;
  std::string text;
  auto state = model->zero_state(1);
  const auto begin = alphabet.symbols.find('\n');
  at::Tensor character =
      at::full({1}, begin == std::string::npos ? 0 : static_cast<std::int64_t>(begin), at::kLong);
  for (Count i = 0; i < count; ++i) {
    tick();
    auto [logits, next] = model->forward(character, state);
    state = std::move(next);
    character = at::multinomial(at::softmax(logits, 1), 1).squeeze(1);
    text.push_back(alphabet.symbols[static_cast<std::size_t>(character.item<std::int64_t>())]);
  }
  return text;
}

}  // namespace sweepback::train
