// SPDX-License-Identifier: Apache-2.0
// Example 7: a reverse sweep that is killed, and gone on with.
//
// A swing for 500 steps: memory for 4 of its states, files for 8 more. The process that computes the gradient is
// killed (SIGKILL, as a queue does it) on the first pass, and again on the way back. Started once more, it
// goes on from the states and the mark that it finds in its directory; nothing is reversed twice.
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "sweepback/durable_sweep.hpp"
#include "sweepback/sweepback.hpp"

using namespace sweepback;

struct State {
  double angle, speed;
};

// All that the reverse steps gather: it is what a mark keeps.
struct Adjoint {
  double angle = 1, speed = 0, gravity = 0;
  bool operator==(const Adjoint&) const = default;
};

struct Swing {
  using State = ::State;
  double gravity = 9.81;
  static constexpr double dt = 0.01;
  Count kill_forward = -1, kill_reverse = -1;  // at these steps
  Count runs = 0, reversed = 0;

  void forward(Count k, State& x) {
    if (k == kill_forward) std::raise(SIGKILL);
    ++runs;
    x.speed -= dt * gravity * std::sin(x.angle);
    x.angle += dt * x.speed;
  }
  void reverse(Count k, const State& x, Adjoint& a) {
    if (k == kill_reverse) std::raise(SIGKILL);
    ++reversed;
    a.speed += dt * a.angle;
    a.gravity -= dt * std::sin(x.angle) * a.speed;
    a.angle -= dt * gravity * std::cos(x.angle) * a.speed;
  }
};

static Plan plan_of(Count steps) {
  using enum TierModel::Unit;
  Chain chain = Chain::uniform(steps, {.state_bytes = sizeof(State)});
  chain.in_place = true;
  return plan(chain, Budget::of({{"memory", slots, 4}, {"disk", slots, 8, {2}, {2}}}));
}

// The whole program: the same lines begin a run and go on with one.
static Adjoint gradient(Swing& swing, const std::filesystem::path& directory, double interval) {
  DurableSweep<Swing, Adjoint> sweep(swing, plan_of(500), {.directory = directory, .program = "swing, gravity 9.81", .interval = interval});
  Adjoint adjoint;
  if (!sweep.resume(adjoint)) sweep.forward({0.5, 0});
  sweep.backward(adjoint);
  return adjoint;
}

static void run_and_be_killed(const std::filesystem::path& directory, Count forward, Count reverse) {
  if (fork() == 0) {
    Swing swing;
    swing.kill_forward = forward;
    swing.kill_reverse = reverse;
    gradient(swing, directory, 0);  // a mark at every step: where it is killed is then no matter of chance
    _exit(0);
  }
  int status = 0;
  wait(&status);
  std::printf("killed by signal %d\n", WTERMSIG(status));
  std::fflush(stdout);
}

int main() {
  const std::filesystem::path directory = std::filesystem::temp_directory_path() / ("swing-" + std::to_string(getpid()));
  std::filesystem::create_directory(directory);
  run_and_be_killed(directory, 400, -1);  // on the first pass
  run_and_be_killed(directory, -1, 300);   // on the way back

  Swing swing;
  const Adjoint found = gradient(swing, directory, -1);
  std::printf("gone on with: %lld steps reversed, %lld run forward\n", static_cast<long long>(swing.reversed), static_cast<long long>(swing.runs));

  Swing again;
  std::printf("the gradient %.12g of an undisturbed run: %s\n", found.gravity, gradient(again, directory, -1) == found ? "the same, bit for bit" : "another");
  std::printf("which runs %lld steps forward; files left: %s\n", static_cast<long long>(again.runs), std::filesystem::is_empty(directory) ? "none" : "some");
  std::filesystem::remove(directory);
}
