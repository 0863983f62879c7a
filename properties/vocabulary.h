// The words of meaning/ that rules and checks speak in.
#ifndef PTEPROOF_PROPERTIES_VOCABULARY_H_
#define PTEPROOF_PROPERTIES_VOCABULARY_H_

#include "meaning/handles.h"
#include "meaning/place_search.h"
#include "meaning/program_meaning.h"
#include "meaning/same_elements.h"
#include "meaning/state_matching.h"
#include "meaning/state_names.h"

namespace pteproof::checks {

using meaning::Block;
using meaning::CallOrder;
using meaning::CallStep;
using meaning::Common;
using meaning::Effects;
using meaning::GoesElementByElement;
using meaning::Handles;
using meaning::HasStateNames;
using meaning::HoldsStateOnly;
using meaning::IsSelfCopy;
using meaning::IsShared;
using meaning::LiveName;
using meaning::Liveness;
using meaning::LivenessOf;
using meaning::Make;
using meaning::MakeKind;
using meaning::MeaningOf;
using meaning::MethodFlow;
using meaning::MethodMeaning;
using meaning::MovedPlace;
using meaning::NameEvents;
using meaning::NamesAtEnd;
using meaning::Phase;
using meaning::Place;
using meaning::PlaceSearch;
using meaning::Point;
using meaning::PointOf;
using meaning::PoliciesSharing;
using meaning::Read;
using meaning::Rename;
using meaning::RenewersOf;
using meaning::ReturnSlots;
using meaning::Role;
using meaning::Roles;
using meaning::SameShape;
using meaning::StatedBuffers;
using meaning::StateInstance;
using meaning::StateKey;
using meaning::StateSlot;
using meaning::StateTable;
using meaning::StateUse;
using meaning::Step;
using meaning::Transfer;
using meaning::UpdatedInPlace;
using meaning::Usage;
using meaning::Write;

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_VOCABULARY_H_
