#include "bounds/registry.hpp"

#include <algorithm>
#include <span>

#include "bounds/units.hpp"

namespace bounds {

// To add a family of statements: write its file, name it here twice, test it, give it reference values.
using Family = std::span<const Bound>();
Family balle2020_fixed_window, balle2020_epoch, balle2020_averaged, balle2020_sliding_window, balle2020_shuffling,
    balle2020_dummy_updates, balle2020_utility, balle2020_lemmas, composition, subsampling, balle2019_blanket,
    girgis2021_privacy, girgis2021_communication, girgis2021_convergence, girgis2021_mean_estimation, renyi_privacy,
    checkin2022_shuffled, checkin2022_lower, checkin2022_distributed, checkin2022_removal, checkin2022_generic,
    checkin2022_baselines, epsilary_checkin_rounds, epsilary_checkin_divergences, epsilary_cldp_rounds,
    epsilary_shuffled_gaussian, feldman2021_clones, epsilary_lower, epsilary_loads, epsilary_checkin_clones,
    epsilary_steps, epsilary_step_losses, wang2019_subsampling, vandijk2022_gaussian, vandijk2022_concentrated,
    vandijk2022_composed, vandijk2022_renyi;

const std::vector<const Bound*>& all() {
  static const std::vector<const Bound*> list = [] {
    std::vector<const Bound*> out;
    for (Family* family : {
             balle2020_fixed_window,
             balle2020_epoch,
             balle2020_averaged,
             balle2020_sliding_window,
             balle2020_shuffling,
             balle2020_dummy_updates,
             balle2020_utility,
             balle2020_lemmas,
             composition,
             subsampling,
             balle2019_blanket,
             girgis2021_privacy,
             girgis2021_communication,
             girgis2021_convergence,
             girgis2021_mean_estimation,
             renyi_privacy,
             checkin2022_shuffled,
             checkin2022_lower,
             checkin2022_distributed,
             checkin2022_removal,
             checkin2022_generic,
             checkin2022_baselines,
             epsilary_checkin_divergences,
             epsilary_checkin_rounds,
             epsilary_cldp_rounds,
             epsilary_shuffled_gaussian,
             feldman2021_clones,
             epsilary_lower,
             epsilary_loads,
             epsilary_checkin_clones,
             epsilary_steps,
             epsilary_step_losses,
             wang2019_subsampling,
             vandijk2022_gaussian,
             vandijk2022_concentrated,
             vandijk2022_composed,
             vandijk2022_renyi,
         })
      for (const Bound& b : family()) out.push_back(&b);
    return out;
  }();
  return list;
}

std::vector<const Bound*> named(std::string_view id) {
  std::vector<const Bound*> forms;
  std::ranges::copy_if(all(), std::back_inserter(forms), [&](const Bound* b) { return b->id == id; });
  return forms;
}

std::vector<Param> missing(const Bound& bound, const Point& point) {
  std::vector<Param> lacking;
  std::ranges::copy_if(bound.needs, std::back_inserter(lacking), [&](Param p) { return !is_given(bound, p, point); });
  return lacking;
}

const Bound* form_for(const std::vector<const Bound*>& forms, const Point& point) {
  const Bound* best = nullptr;
  for (const Bound* b : forms)
    if (missing(*b, point).empty() && (!best || b->needs.size() > best->needs.size())) best = b;
  return best;
}

}  // namespace bounds
