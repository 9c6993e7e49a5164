// SPDX-License-Identifier: Apache-2.0
// The cheapest of all schedules of a short chain, nested or not: A* over situations
// (what is stored, which tapes are kept, what is in hand, the steps left). Always exact, where states
// or states and tapes are kept, with tapes at all steps, at some or at none.
//
// Normal form. Where one situation holds all that another holds, and has the same in hand, it can
// do all that the other can. So a cheapest schedule is left among those in which
//  1. what no remaining step can use is given up at once: states from x_end on;
//  2. all else is given up right before an action that would not fit, and no more than has to be:
//     the set given up is minimal, not least;
//  3. a restore comes right before the action that it is for: one from the state in hand, or a
//     reverse that does not fit beside what is in hand, or after which the adjoint is so large that
//     nothing can be restored any more;
//  4. no step runs forward to a state that is still kept then: it is restored instead;
//  5. where states are immutable, a hand that only views what is kept views the first that is, any
//     other being a restore away.
//
// Lower bound: all remaining steps are reversed; those with tapes that are not kept are recorded;
// and x_j that is nowhere, j a step that still starts from its state, is made by step j-1, the cost
// of which is counted unless it may be the record already counted. An action lowers the bound by at
// most its cost, so a situation taken from the queue is never improved.
#include <queue>
#include <string>

#include "situations.hpp"

namespace sweepback::detail::uneven {

namespace {

/// The situations seen, by their keys.
class Seen {
 public:
  struct Entry {
    std::uint64_t key = 0;
    Count cost = 0;
    std::uint32_t stores = 0, before = 0;
    Move move = {};
    bool done = false;
  };

  std::vector<Entry> entries;

  /// The number of the entry of `key`, a new one where there was none.
  std::uint32_t find(std::uint64_t key) {
    if (2 * (entries.size() + 1) > places_.size()) grow();
    std::size_t place = hash(key) & (places_.size() - 1);
    for (; places_[place] != 0; place = (place + 1) & (places_.size() - 1))
      if (entries[places_[place] - 1].key == key) return places_[place] - 1;
    entries.push_back({.key = key});
    return (places_[place] = static_cast<std::uint32_t>(entries.size())) - 1;
  }

 private:
  static std::size_t hash(std::uint64_t key) {
    key = (key ^ key >> 31) * 0x9e3779b97f4a7c15;
    return static_cast<std::size_t>((key ^ key >> 29) * 0xbf58476d1ce4e5b9 >> 20);
  }
  void grow() {
    places_.assign(std::max<std::size_t>(1024, 2 * places_.size()), 0);
    for (std::size_t n = 0; n < entries.size(); ++n) {
      std::size_t place = hash(entries[n].key) & (places_.size() - 1);
      while (places_[place] != 0) place = (place + 1) & (places_.size() - 1);
      places_[place] = static_cast<std::uint32_t>(n + 1);
    }
  }
  std::vector<std::uint32_t> places_;  // entry numbers from 1; 0: empty
};

class Search {
 public:
  Search(const Chain& chain, Keep keep, Count bytes, std::optional<Count> incumbent,
         std::size_t most_points, const Deadline& deadline)
      : model_(chain, keep, bytes), incumbent_(incumbent.value_or(infinite)),
        most_points_(std::min<std::size_t>(most_points, UINT32_MAX - 1)), deadline_(deadline) {}

  std::optional<Found> cheapest() {
    if (!model_.every_step_fits()) return std::nullopt;
    visit(model_.start(), {}, 0, {});
    for (std::uint32_t looks = 0; !queue_.empty(); ++looks) {
      if (looks % 1024 == 0) deadline_.look();
      const std::uint32_t at = queue_.top().at;
      queue_.pop();
      if (std::exchange(seen_.entries[at].done, true)) continue;
      if (Point::of(seen_.entries[at].key).end == 0)
        return Found{seen_.entries[at].cost, actions_to(at)};
      expand(at);
    }
    return std::nullopt;
  }

 private:
  struct Waiting {
    Count at_least;
    std::uint32_t stores, at;
    bool operator<(const Waiting& other) const {  // the later one in a heap; of equals the older
      if (at_least != other.at_least) return at_least > other.at_least;
      if (stores != other.stores) return stores > other.stores;
      return at < other.at;
    }
  };

  void visit(const Point& to, const Model::Cost& cost, std::uint32_t before, const Move& move) {
    const Count rest = model_.at_least(to);
    if (rest == infinite) return;
    const Wide whole = Wide{cost.cost} + rest;
    if (whole > incumbent_) return;
    const std::size_t known = seen_.entries.size();
    const std::uint32_t at = seen_.find(to.key());
    Seen::Entry& entry = seen_.entries[at];
    if (seen_.entries.size() > most_points_) throw TimeUp{};
    if (at < known && (entry.cost < cost.cost ||
                       (entry.cost == cost.cost && entry.stores <= cost.stores)))
      return;
    entry.cost = cost.cost;
    entry.stores = cost.stores;
    entry.before = before;
    entry.move = move;
    queue_.push({narrow(whole, "the cost of a schedule"), cost.stores, at});
  }

  void expand(std::uint32_t at) {
    const Point p = Point::of(seen_.entries[at].key);
    const Model::Cost cost{seen_.entries[at].cost, seen_.entries[at].stores};
    model_.moves(p, [&](const Move& move, Set droppable, Set must) {
      make_room(p, move, droppable, must, [&](const Move& fitting) {
        Point to = p;
        Model::Cost there = cost;
        if (model_.follow(to, fitting, there)) visit(to, there, at, fitting);
      });
    });
  }

  /// Calls `to` for the move with every minimal set (of states, and of tapes above them) that has
  /// to be given up for it to fit.
  template <class To>
  void make_room(const Point& p, const Move& move, Set droppable, Set must, To&& to) {
    const auto with = [&](Set set) {
      Move giving = move;
      giving.states = static_cast<std::uint16_t>(set & below(most));
      giving.tapes = static_cast<std::uint16_t>(set >> most);
      return giving;
    };
    open_.assign(1, {must, droppable});
    while (!open_.empty()) {
      if (++work_ / 32 > most_points_) throw TimeUp{};
      const auto [set, others] = open_.back();
      open_.pop_back();
      if (model_.fits(p, with(set))) {
        bool minimal = true;
        for (Set rest = set & ~must; rest != 0 && minimal; rest = all_but_first(rest))
          minimal = !model_.fits(p, with(set ^ only(std::countr_zero(rest))));
        if (minimal) to(with(set));
      } else if (others != 0 && model_.fits(p, with(set | others))) {
        for (Set rest = others; rest != 0; rest = all_but_first(rest))
          open_.push_back({set | only(std::countr_zero(rest)), all_but_first(rest)});
      }
    }
  }

  std::vector<Action> actions_to(std::uint32_t at) const {
    std::vector<std::uint32_t> path;
    for (; at != 0; at = seen_.entries[at].before) path.push_back(at);
    std::reverse(path.begin(), path.end());
    std::vector<Action> actions;
    Point p = model_.start();
    // The first that is kept is restored where it views something else only if need be.
    int hand = p.hand, wanted = none;
    std::ptrdiff_t where = 0;
    for (const std::uint32_t next : path) {
      const Seen::Entry& entry = seen_.entries[next];
      if (wanted != none && model_.needs_hand(p, entry.move, hand)) {
        actions.insert(actions.begin() + where, Action::restore(wanted));
        hand = std::exchange(wanted, none);
      }
      if (entry.move.restored != none) wanted = none;
      hand = model_.write(p, entry.move, hand, actions);
      p = Point::of(entry.key);
      if (p.hand == none || p.hand == hand) {
        wanted = none;
      } else if (p.hand != wanted) {
        wanted = p.hand;
        where = std::ssize(actions);
      }
    }
    return actions;
  }

  Model model_;
  Count incumbent_;
  std::size_t most_points_;
  const Deadline& deadline_;
  Seen seen_;
  std::priority_queue<Waiting> queue_;
  std::vector<std::pair<Set, Set>> open_;
  std::size_t work_ = 0;  // sets looked at
};

}  // namespace

std::optional<Found> search(const Chain& chain, Keep keep, Count bytes,
                            std::optional<Count> incumbent, std::size_t most_points,
                            const Deadline& deadline) {
  if (chain.steps() > most_searched_steps)
    throw Unsupported("a search for the cheapest schedule of " + std::to_string(chain.steps()) +
                          " unequal steps",
                      "give at most " + std::to_string(most_searched_steps));
  if (keep == Keep::tapes)
    throw Unsupported("a search for schedules that keep tapes alone", "keep states, or both");
  if (chain.steps() == 0) return Found{0, {}};
  return Search(chain, keep, bytes, incumbent, most_points, deadline).cheapest();
}

}  // namespace sweepback::detail::uneven
