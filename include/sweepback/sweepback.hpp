// SPDX-License-Identifier: Apache-2.0
// Everything of Sweepback that needs the standard library only.
#pragma once

#include "sweepback/action.hpp"
#include "sweepback/binomial.hpp"
#include "sweepback/budget.hpp"
#include "sweepback/chain.hpp"
#include "sweepback/check.hpp"
#include "sweepback/error.hpp"
#include "sweepback/explain.hpp"
#include "sweepback/memory_tier.hpp"
#include "sweepback/observer.hpp"
#include "sweepback/plan.hpp"
#include "sweepback/program.hpp"
#include "sweepback/report.hpp"
#include "sweepback/schedule.hpp"
#include "sweepback/situation.hpp"
#include "sweepback/states_in_reverse.hpp"
#include "sweepback/step_random.hpp"
#include "sweepback/sweep.hpp"
#include "sweepback/trade.hpp"
